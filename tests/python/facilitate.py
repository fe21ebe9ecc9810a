"""Asks a facilitator as an official Python seller does: python facilitate.py URL REQUIREMENTS

Signs a payment for the JSON text REQUIREMENTS, verifies it, settles it twice, verifies it again, and does the same with
a payment whose value was changed after signing. Prints one line of JSON with the answers as the client read them:
{"payer", "supported", "verified", "settled", "again", "used", "changed": {"verified", "settled"}}.
"""

import copy
import json
import sys

import eth_account
from x402 import x402ClientSync
from x402.http import FacilitatorConfig, HTTPFacilitatorClientSync
from x402.mechanisms.evm.exact import register_exact_evm_client
from x402.schemas import PaymentRequired, PaymentRequirements, ResourceInfo


def shown(answer):
    return answer.model_dump(by_alias=True, exclude_none=True)


def main(url, text):
    requirements = PaymentRequirements.model_validate_json(text)
    account = eth_account.Account.create()
    buyer = register_exact_evm_client(x402ClientSync(), account)
    challenge = PaymentRequired(resource=ResourceInfo(url="https://shop.example/goods"), accepts=[requirements])
    payment = buyer.create_payment_payload(challenge)
    changed = copy.deepcopy(payment)
    changed.payload["authorization"]["value"] = "1"
    with HTTPFacilitatorClientSync(FacilitatorConfig(url=url, timeout=20)) as facilitator:
        print(json.dumps({
            "payer": account.address,
            "supported": shown(facilitator.get_supported()),
            "verified": shown(facilitator.verify(payment, requirements)),
            "settled": shown(facilitator.settle(payment, requirements)),
            "again": shown(facilitator.settle(payment, requirements)),
            "used": shown(facilitator.verify(payment, requirements)),
            "changed": {
                "verified": shown(facilitator.verify(changed, requirements)),
                "settled": shown(facilitator.settle(changed, requirements)),
            },
        }))


main(*sys.argv[1:])
