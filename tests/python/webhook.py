"""The library of Standard Webhooks as a receiver. Reads {secret, headers, body} as JSON from its argument; prints the payload
that it takes, or {"refused": why}."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

asked = json.loads(sys.argv[1])
try:
    print(json.dumps(Webhook(asked["secret"]).verify(asked["body"], asked["headers"])))
except WebhookVerificationError as refused:
    print(json.dumps({"refused": str(refused)}))
