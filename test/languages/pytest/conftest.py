import atexit
import json
import os
import subprocess
import urllib.error
import urllib.request

import pytest


# The app of `mockademy exec`; else that of the default world.
APP = os.environ.get("PLATFORM_CLIENT_ID", "notes")


class Mockademy:
    """A client of the control API."""

    def __init__(self, url):
        self.url = url

    def call(self, method, path, body=None):
        """Sends a control call. Returns its JSON; raises RuntimeError with the reason when it is refused."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"} if data else {}
        request = urllib.request.Request(f"{self.url}/_admin/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()}") from None


class Sandbox:
    """An organization of one test. `data` is what POST /_admin/sandboxes returned."""

    def __init__(self, mockademy):
        self.mockademy = mockademy
        self.data = mockademy.call("POST", "sandboxes", {"app": APP})
        self.slug = self.data["organization"]["slug"]

    def expire_tokens(self):
        self.mockademy.call("POST", "tokens/expire", {"organization": self.slug})

    def fault(self, effect):
        match = {"surface": "api", "organization": self.slug}
        self.mockademy.call("POST", "faults", {"match": match, "effect": effect})

    def findings(self):
        found = self.mockademy.call("GET", f"findings?organization={self.slug}&level=error")
        return [(each["rule"], each["message"]) for each in found["data"]]

    def end(self):
        self.mockademy.call("DELETE", f"sandboxes/{self.data['id']}")


@pytest.fixture(scope="session")
def mockademy():
    """The emulator at MOCKADEMY_URL, such as a container's; else one of this run's own."""
    url = os.environ.get("MOCKADEMY_URL")
    if url:
        yield Mockademy(url)
        return
    command = ["npx", "mockademy", "start", "--port", "0", "--store", "memory", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    atexit.register(process.kill)
    # Its last line, once it serves: "Mockademy is ready at http://127.0.0.1:40751 (Ctrl+C stops it)".
    ready = next(line for line in process.stdout if "ready at" in line)
    yield Mockademy(ready.split("ready at ")[1].split()[0])
    process.terminate()
    process.wait()


@pytest.fixture
def sandbox(mockademy):
    made = Sandbox(mockademy)
    yield made
    findings = made.findings()
    made.end()
    assert findings == []
