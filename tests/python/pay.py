"""Buys with the official Python client: python pay.py {httpx|requests} URL BODY

Posts the JSON text BODY to URL from an account that nobody has used before, pays what the answer asks, and prints one
line of JSON: {"payer", "status", "headers", "body", "receipt"}. Headers are named in lower case; the receipt is read by
the client's own decoder and is null where there is none.
"""

import asyncio
import json
import sys

import eth_account
from x402 import x402Client, x402ClientSync
from x402.http import PAYMENT_RESPONSE_HEADER, decode_payment_response_header
from x402.http.clients import wrapHttpxWithPayment, x402_requests
from x402.mechanisms.evm.exact import register_exact_evm_client

PATIENCE_SECONDS = 20
JSON_BODY = {"content-type": "application/json"}


async def by_httpx(account, url, body):
    client = register_exact_evm_client(x402Client(), account)
    async with wrapHttpxWithPayment(client, timeout=PATIENCE_SECONDS) as session:
        answer = await session.post(url, content=body, headers=JSON_BODY)
        return answer.status_code, answer.headers, answer.text


async def by_requests(account, url, body):
    session = x402_requests(register_exact_evm_client(x402ClientSync(), account))
    answer = session.post(url, data=body.encode(), headers=JSON_BODY, timeout=PATIENCE_SECONDS)
    return answer.status_code, answer.headers, answer.text


def main(library, url, body):
    account = eth_account.Account.create()
    buy = {"httpx": by_httpx, "requests": by_requests}[library]
    status, headers, text = asyncio.run(buy(account, url, body))
    header = headers.get(PAYMENT_RESPONSE_HEADER)
    receipt = header and decode_payment_response_header(header).model_dump(by_alias=True, exclude_none=True)
    print(json.dumps({
        "payer": account.address,
        "status": status,
        "headers": {name.lower(): value for name, value in headers.items()},
        "body": json.loads(text),
        "receipt": receipt,
    }))


main(*sys.argv[1:])
