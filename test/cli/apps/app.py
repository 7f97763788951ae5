# An app without Node, which listens when there is a file of that name. GET /end/3 ends it with status 3.
import hashlib
import hmac
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer


class App(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        secret = os.environ["PLATFORM_SIGNING_SECRET"].encode()
        expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
        self.send_response(200 if hmac.compare_digest(expected, self.headers["platform-signature"]) else 401)
        self.end_headers()

    def do_GET(self):
        self.send_response(204)
        self.end_headers()
        os._exit(int(self.path.rsplit("/", 1)[1]))

    def log_message(self, *_):
        pass


print("runs as %d." % os.getpid(), flush=True)
while not os.path.exists("listen"):
    time.sleep(0.02)
HTTPServer(("127.0.0.1", int(os.environ["PORT"])), App).serve_forever()
