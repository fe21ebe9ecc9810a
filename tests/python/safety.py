"""The safety checks of x402-conformance (F1-F14, S5) over HTTP against a real facilitator in its simulator:
python safety.py URL REQUIREMENTS

The checks speak of stand-in payments {tx, memo, mint, dest, amount, net, finalized}. Each becomes a signed EIP-3009
authorization for the JSON text REQUIREMENTS: the memo is its nonce, the mint and the network are its signing domain,
and payments with different tx differ in their window. What is signed may be wrong; the terms that the payment repeats
never are, as a cheat would have it. The simulated chain's word on a payment becomes the simulator's mode. Prints
{"results": [{"checks": [...]}]}.
"""

import hashlib
import json
import secrets
import sys
import time
import urllib.error
import urllib.request

import eth_account
from eth_utils import is_address
from x402conf import harness, mock

PATIENCE_SECONDS = 20
MODES = {mock.Chain.PENDING: "pending", mock.Chain.CONFIRMED: "settle", mock.Chain.FAILED: "revert"}
NOWHERE = "0x0000000000000000000000000000000000000000"
TRANSFER = {
    "TransferWithAuthorization": [
        {"name": "from", "type": "address"},
        {"name": "to", "type": "address"},
        {"name": "value", "type": "uint256"},
        {"name": "validAfter", "type": "uint256"},
        {"name": "validBefore", "type": "uint256"},
        {"name": "nonce", "type": "bytes32"},
    ]
}


class Facilitator:
    """A facilitator as the checks see it."""

    def __init__(self, url):
        self.url = url
        self.chain = mock.Chain()
        self.account = eth_account.Account.create()
        self.salt = secrets.token_bytes(16)
        self.started = int(time.time())
        self.windows = {}
        self.names = {}

    def supported(self):
        return self._ask("GET", "/supported")

    def verify(self, payment, requirements):
        return self._ask("POST", "/verify", self._request(payment, requirements))

    def settle(self, payment, requirements):
        if payment.get("tx"):
            self._ask("PUT", "/simulator", {"mode": MODES[self.chain.status(payment)]})
        answer = self._ask("POST", "/settle", self._request(payment, requirements))
        if answer.get("transaction"):
            # A transaction bears the name of the payment that it was first seen with.
            answer["transaction"] = self.names.setdefault(answer["transaction"], payment.get("tx"))
        return answer

    def _request(self, payment, requirements):
        payload = self._signed(payment, requirements) if payment.get("tx") else payment
        return {
            "x402Version": 2,
            "paymentPayload": {"x402Version": 2, "accepted": requirements, "payload": payload},
            "paymentRequirements": requirements,
        }

    def _signed(self, payment, requirements):
        window = self.windows.setdefault(payment["tx"], len(self.windows))
        family, _, chain = payment["net"].partition(":")
        authorization = {
            "from": self.account.address,
            "to": payment["dest"],
            "value": int(payment["amount"]),
            "validAfter": 0,
            "validBefore": self.started + requirements["maxTimeoutSeconds"] - 100 + window,
            "nonce": "0x" + hashlib.sha256(self.salt + payment["memo"].encode()).hexdigest(),
        }
        domain = {
            "name": requirements["extra"]["name"],
            "version": requirements["extra"]["version"],
            "chainId": int(chain) if family == "eip155" else 1,
            "verifyingContract": payment["mint"] if is_address(payment["mint"]) else NOWHERE,
        }
        signed = self.account.sign_typed_data(domain, TRANSFER, authorization)
        texts = {name: str(value) for name, value in authorization.items()}
        return {
            "signature": "0x" + signed.signature.hex().removeprefix("0x"),
            # As it stands in the payment: a lenient reader would take it for what was signed.
            "authorization": texts | {"value": str(payment["amount"])},
        }

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            return json.load(refusal)


def main(url, text):
    requirements = json.loads(text)
    vectors = mock.vectors({"requirements": requirements, "vectors": mock.load_fixture()["vectors"]})
    print(json.dumps({"results": [{"checks": harness.check_safety(Facilitator(url), vectors)}]}))


main(*sys.argv[1:])
