"""What schemathesis has to be told of these services: how a request is signed, and what there is to ask for.

The settings are made by main.ts: `token`, `key` (id, secret) of services that have one, `known` (values of fields by name) and `calls`,
the file that gets a line for every call."""

import hashlib
import hmac
import json
import os
from datetime import datetime, timezone
from secrets import token_urlsafe

import requests
import schemathesis

settings = json.loads(os.environ["FUZZ_SETTINGS"])


class Credentials(requests.auth.AuthBase):
    """Bears an admin's token, and where there is a key signs the bytes that are sent, by version 2 (docs/signing.md)."""

    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {settings['token']}"
        if "key" in settings:
            body = request.body or b""
            if isinstance(body, str):
                body = body.encode()
            timestamp = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            nonce = token_urlsafe(18)
            lines = ["v2", request.method, request.path_url, timestamp, nonce, hashlib.sha256(body).hexdigest()]
            secret = settings["key"]["secret"].encode()
            request.headers["X-API-Key"] = settings["key"]["id"]
            request.headers["X-Signature-Version"] = "2"
            request.headers["X-Timestamp"] = timestamp
            request.headers["X-Nonce"] = nonce
            request.headers["X-Signature"] = hmac.new(secret, "\n".join(lines).encode(), hashlib.sha256).hexdigest()
        return request


schemathesis.auth.set_from_requests(Credentials())


def is_sendable(value):
    """No page can say it: in JSON no service takes NUL, half a surrogate pair, or an integer that a double cannot hold."""
    if isinstance(value, dict):
        return all(is_sendable(name) and is_sendable(part) for name, part in value.items())
    if isinstance(value, list):
        return all(map(is_sendable, value))
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
    return not isinstance(value, (int, float)) or abs(value) < 2**53


@schemathesis.hook
def filter_body(context, body):
    return is_sendable(body)


def is_positive(case):
    return case.meta is None or case.meta.generation.mode.value == "positive"


@schemathesis.hook
def before_call(context, case, kwargs):
    if is_positive(case) and isinstance(case.body, dict):
        known = settings["known"].items()
        case.body.update({name: value for name, value in known if isinstance(case.body.get(name), str)})


@schemathesis.hook
def after_call(context, case, response):
    with open(settings["calls"], "a", encoding="utf-8") as calls:
        calls.write(f"{case.operation.label}\t{response.status_code}\n")


# Of path and headers together Node takes 16 KiB, and answers 431 by itself.
max_head_characters = 8_000


@schemathesis.hook
def filter_case(context, case):
    """A case without the headers of its signature would be signed all the same."""
    if len(f"{case.path_parameters}{case.query}{case.headers}") > max_head_characters:
        return False
    if is_positive(case):
        return True
    components = {getattr(location, "value", location): part for location, part in case.meta.components.items()}
    return components.get("header") is None or components["header"].mode.value == "positive"


@schemathesis.check
def unexpected_server_error(context, response, case):
    """What a step or a party outside has failed with is an answer too; our own failure is told in two words."""
    if response.status_code < 500:
        return
    try:
        words = [response.json().get(name) for name in ("error", "message")]
    except (ValueError, AttributeError):
        words = None
    assert words and "Internal error" not in words, f"{response.status_code}: {response.text[:300]}"
