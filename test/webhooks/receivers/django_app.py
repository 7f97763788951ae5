import hashlib
import hmac
import json
import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

secret = os.environ["PLATFORM_SIGNING_SECRET"].encode()


@csrf_exempt
@require_POST
def webhook(request):
    expected = hmac.new(secret, request.body, hashlib.sha256).hexdigest().encode()
    given = request.headers.get("Platform-Signature", "").encode()
    if not hmac.compare_digest(given, expected):
        return HttpResponse(status=401)
    event = json.loads(request.body)
    print(event["type"], event["id"])
    return HttpResponse(status=200)


urlpatterns = [path("webhook", webhook)]
settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY=secret.decode(), USE_TZ=True)
execute_from_command_line([sys.argv[0], "runserver", "--noreload", os.environ.get("PORT", "3000")])
