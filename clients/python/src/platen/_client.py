from __future__ import annotations

from typing_extensions import Self, Unpack

from . import types
from ._connection import Connection, Fields
from ._pdf_operations import PdfOperations
from ._record import Record
from ._resources import Batches, Files, Generations, Templates

AS_LINK = {"output": "url"}


class Platen(PdfOperations):
    """A client of a Platen service.

    :param url: the address of the service; by default ``PLATEN_URL`` of the environment, or
        ``http://127.0.0.1:3000``
    :param api_key: an API key; by default ``PLATEN_API_KEY`` of the environment
    :param retries: how often a request is repeated that failed for a moment
    :param timeout: the limit for the response to each attempt, in seconds
    """

    def __init__(
        self, url: str | None = None, api_key: str | None = None, *, retries: int = 4, timeout: float = 300
    ) -> None:
        self._connection = Connection(url, api_key, retries, timeout)
        self._call = self._connection.call
        self.generations = Generations(self._connection)
        self.templates = Templates(self._connection)
        self.batches = Batches(self._connection)
        self.files = Files(self._connection)

    def generate(
        self, *, idempotency_key: str | None = None, **request: Unpack[types.GenerateRequest]
    ) -> types.GenerateResponse:
        """Make a PDF from ``html``, ``template``, ``react``, ``markdown`` or ``url``.

        ``idempotency_key`` names the request, so that it has its effect once. By default, each has its own.
        """
        body = {**request, **AS_LINK}
        return self._call(types.GenerateResponse, "POST", "/v1/generate", body=body, key=idempotency_key)

    def image(
        self, *, idempotency_key: str | None = None, **request: Unpack[types.ImageRequest]
    ) -> types.ImageResponse:
        """Make a PNG, JPEG or WebP image from the same sources."""
        body = {**request, **AS_LINK}
        return self._call(types.ImageResponse, "POST", "/v1/images", body=body, key=idempotency_key)

    def request(self, method: str, path: str, *, query: Fields = None, body: Fields = None) -> Record:
        """Call any route that returns JSON, such as ``request("GET", "/v1/usage")``."""
        return self._connection.call(Record, method, path, query=query, body=body)

    def close(self) -> None:
        """Close the connections. ``with Platen() as platen:`` does the same."""
        self._connection.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
