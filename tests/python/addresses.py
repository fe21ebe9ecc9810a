"""Which addresses Python holds to be global. Reads a JSON array of texts from its argument; prints one of booleans."""

import ipaddress
import json
import sys


def is_public(text):
    address = ipaddress.ip_address(text)
    return address.is_global and not address.is_multicast


print(json.dumps([is_public(text) for text in json.loads(sys.argv[1])]))
