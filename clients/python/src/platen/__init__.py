"""The client of Platen, a self-hosted PDF service."""

from . import types
from ._client import Platen
from ._errors import PlatenError
from ._record import Document, Record
from ._resources import FileContent
from ._webhooks import verify_webhook
from .types import ApiError, Generation, RenderOptions, StoredFile, Template, WebhookEvent
from .types import GenerateResponse as Pdf

__all__ = [
    "ApiError",
    "Document",
    "FileContent",
    "Generation",
    "Pdf",
    "Platen",
    "PlatenError",
    "Record",
    "RenderOptions",
    "StoredFile",
    "Template",
    "WebhookEvent",
    "types",
    "verify_webhook",
]
