import hashlib
import hmac
import json
import os

from flask import Flask, request

app = Flask(__name__)
secret = os.environ["PLATFORM_SIGNING_SECRET"].encode()


@app.post("/webhook")
def webhook():
    raw = request.get_data()
    expected = hmac.new(secret, raw, hashlib.sha256).hexdigest().encode()
    given = request.headers.get("Platform-Signature", "").encode()
    if not hmac.compare_digest(given, expected):
        return "", 401
    event = json.loads(raw)
    print(event["type"], event["id"])
    return "", 200


app.run(port=int(os.environ.get("PORT", 3000)))
