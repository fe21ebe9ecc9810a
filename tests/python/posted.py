"""The checks P1-P7 of x402-conformance on a paid route that takes POST only: python posted.py URL

The suite's own command asks with GET. Here its request goes out as an empty POST; what comes back is judged by the same
code. Prints {"results": [{"checks": [...]}]} as the command does.
"""

import json
import sys
import urllib.request

from x402conf import harness


def by_post(request, timeout):
    posted = urllib.request.Request(request.full_url, b"", dict(request.header_items()), method="POST")
    return urllib.request.urlopen(posted, timeout=timeout)


def main(url):
    print(json.dumps({"results": [harness.run_resource(url, opener=by_post)]}))


main(*sys.argv[1:])
