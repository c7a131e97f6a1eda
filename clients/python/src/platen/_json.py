from __future__ import annotations

import base64
import json
import os
from typing import Any

from ._errors import PlatenError
from ._record import file_error


def to_json(fields: dict[str, Any]) -> bytes:
    """Write a body as JSON, with bytes, files and paths in base64."""
    try:
        text = json.dumps(
            fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_base64_of
        )
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"The request cannot be written as JSON ({error}): correct the value."
        raise PlatenError("INVALID_VALUE", message) from None


def _base64_of(value: Any) -> str:
    try:
        if isinstance(value, os.PathLike):
            with open(value, "rb") as file:
                content = file.read()
        else:
            content = value.read() if hasattr(value, "read") else value
    except OSError as error:
        raise file_error(value, error) from None
    if not isinstance(content, (bytes, bytearray, memoryview)):
        raise TypeError(f"it has an object of type {type(value).__name__}")
    return base64.b64encode(content).decode()
