import urllib.error
import urllib.request

import pytest


def read_courses(url, token):
    """Sample code of an app."""
    request = urllib.request.Request(f"{url}/v0/courses", headers={"authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        return response.status


def test_reads_with_its_token(mockademy, sandbox):
    assert read_courses(mockademy.url, sandbox.data["credentials"]["access_token"]) == 200


def test_meets_an_expired_token(mockademy, sandbox):
    sandbox.expire_tokens()
    with pytest.raises(urllib.error.HTTPError, match="401"):
        read_courses(mockademy.url, sandbox.data["credentials"]["access_token"])


def test_meets_a_platform_that_is_down(mockademy, sandbox):
    sandbox.fault("unavailable")
    with pytest.raises(urllib.error.HTTPError, match="503"):
        read_courses(mockademy.url, sandbox.data["credentials"]["access_token"])
