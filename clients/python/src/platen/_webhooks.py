from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import cast

from ._errors import PlatenError
from ._record import Record
from .types import WEBHOOK_EVENTS, WebhookEvent

TOLERANCE_SECONDS = 300


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Verify a message (Standard Webhooks) and return it. The body is as it arrived, before it is parsed.

    Raises a PlatenError ``INVALID_SIGNATURE`` for a message that is forged, changed or older than 5 minutes.
    """
    values = {name.lower(): value for name, value in headers.items()}
    id, timestamp, given = (values.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    seconds = int(timestamp) if re.fullmatch("[0-9]{1,12}", timestamp) else 0
    if abs(time.time() - seconds) > TOLERANCE_SECONDS:
        raise _invalid("The message has no time, or one more than 5 minutes from now")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise PlatenError("INVALID_SETTING", "The secret of the webhook is invalid: copy all of whsec_….")
    content = body.encode() if isinstance(body, str) else body
    digest = hmac.digest(key, f"{id}.{timestamp}.".encode() + content, hashlib.sha256)
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any(hmac.compare_digest(each.encode(), expected) for each in given.split(" ")):
        raise _invalid("The message is not signed with this secret, or was changed")
    event = json.loads(content)
    return cast(WebhookEvent, WEBHOOK_EVENTS.get(event.get("type"), Record)(event))


def _invalid(reason: str) -> PlatenError:
    return PlatenError("INVALID_SIGNATURE", f"{reason}: reject it with 400.")
