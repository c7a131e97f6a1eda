from __future__ import annotations

import math
import os
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
from typing_extensions import TypeAlias

from ._errors import PlatenError
from ._json import to_json
from ._record import R
from .types import ErrorResponse

Fields: TypeAlias = "dict[str, Any] | None"
Key: TypeAlias = "str | None"
LONGEST_WAIT_SECONDS = 60
OWN_LINK = re.compile(r"/files/file_\w+\?(?:.*&)?signature=.*$")


class Connection:
    """Sends requests with an API key, and repeats those that failed for a moment."""

    def __init__(self, url: str | None, api_key: str | None, retries: int, timeout: float) -> None:
        key = api_key if api_key is not None else os.environ.get("PLATEN_API_KEY")
        if not key:
            raise _invalid("There is no API key: set PLATEN_API_KEY to the key that `npm start` printed.")
        if not re.fullmatch(r"[!-~]+", key):
            raise _invalid("The API key has a space or a line break: copy it again.")
        address = url or os.environ.get("PLATEN_URL") or "http://127.0.0.1:3000"
        if not _is_url(address):
            raise _invalid(f"PLATEN_URL is '{address}': set it to a URL such as http://127.0.0.1:3000.")
        self._url = address.rstrip("/")
        self._key = key
        self._retries = retries
        self.http = httpx.Client(timeout=timeout, follow_redirects=True)

    def call(
        self, cls: type[R], method: str, path: str, query: Fields = None, body: Fields = None, key: Key = None
    ) -> R:
        """Call a route, and read its JSON."""
        params = {name: value for name, value in (query or {}).items() if value is not None}
        content: dict[str, Any] = {}
        if body is not None:
            json = to_json({name.rstrip("_"): value for name, value in body.items()})
            content = {"content": json, "headers": {"Content-Type": "application/json"}}
        response = self.send(method, path, key=key, params=params, **content)
        return cls({} if response.status_code == 204 else self.fields_of(response), self)

    def fields_of(self, response: httpx.Response) -> Any:
        """Read the JSON of a response: an object, or a list for some integrations."""
        try:
            fields = response.json()
        except ValueError:
            fields = None
        if not isinstance(fields, (dict, list)):
            raise _not_platen(self._url, response.status_code)
        return fields

    def send(self, method: str, target: str, *, key: Key = None, **content: Any) -> httpx.Response:
        """Send a request until it succeeds, or another attempt is of no use."""
        is_own = target.startswith("/")
        headers: dict[str, str] = content.pop("headers", {})
        if is_own:
            headers["Authorization"] = f"Bearer {self._key}"
        if method == "POST":
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        is_once, is_streamed = content.pop("is_once", False), content.pop("is_streamed", False)
        # The service takes no `Idempotency-Key` for new API keys, and each request would make another.
        is_repeatable = method in ("GET", "DELETE", "POST") and target != "/v1/keys"
        url = self._url + target if is_own else target
        attempt = 0
        while True:
            is_last = is_once or attempt >= self._retries
            seconds: float = 2**attempt / 4
            try:
                # The same bytes are sent again: other bytes would be another request.
                request = self.http.build_request(method, url, headers=headers, **content)
                response = self.http.send(request, stream=is_streamed)
                is_wrong = is_own and not _is_of_platen(response)
                is_gone = method == "DELETE" and attempt > 0 and response.status_code == 404
                if (response.is_success and not is_wrong) or is_gone:
                    return response
                seconds = _seconds_to_wait(response, seconds)
                if is_last or seconds > LONGEST_WAIT_SECONDS:
                    raise _error_of(response, self._url if is_own else None)
                response.close()
            except httpx.HTTPError as error:
                if is_last or not is_repeatable or isinstance(error, httpx.ReadTimeout):
                    raise _connection_error(url, error) from None
            except OSError as error:
                raise PlatenError("FILE_ERROR", f"The upload cannot be read ({error}).") from None
            time.sleep(seconds)
            attempt += 1

    def download(self, link: str) -> Iterator[bytes]:
        """Download a file. The address of the service may be another here than in its links."""
        own = OWN_LINK.search(link)
        response = self.send("GET", own.group() if own else link, is_streamed=True)

        def chunks() -> Iterator[bytes]:
            try:
                yield from response.iter_bytes()
            except httpx.HTTPError:
                raise PlatenError("CONNECTION_FAILED", "The download broke off: repeat it.") from None
            finally:
                response.close()

        return chunks()

    def wait_for_generation(self, id: str) -> dict[str, Any]:
        """Wait until a generation has completed. Raises its fault if it has failed."""
        fields = self.wait(f"/v1/generations/{id}")
        if fields["status"] == "completed":
            return fields
        raise error_of_work(fields.get("error"), id)

    def wait(
        self, path: str, on_progress: Callable[[dict[str, Any]], object] | None = None
    ) -> dict[str, Any]:
        """Read a record again and again until its work has ended, often at first."""
        seconds = 0.1
        while True:
            fields = self.fields_of(self.send("GET", path))
            if on_progress:
                on_progress(fields)
            if fields["status"] not in ("queued", "processing"):
                return fields
            time.sleep(seconds)
            seconds = min(seconds * 1.5, 2)


def error_of_work(text: str | None, id: str) -> PlatenError:
    """Return the error of background work that ended with ``CODE: message``, or was canceled."""
    code, _, message = (text or "").partition(": ")
    return PlatenError(code or "CANCELED", message or f"{id} was canceled: make the document again.")


def _is_url(text: str) -> bool:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        return False
    return url.scheme in ("http", "https") and bool(url.host)


def _invalid(message: str) -> PlatenError:
    return PlatenError("INVALID_SETTING", message)


def _connection_error(url: str, error: httpx.HTTPError) -> PlatenError:
    origin = str(httpx.URL(url).join("/")).rstrip("/")
    if isinstance(error, httpx.ReadTimeout):
        return PlatenError("TIMEOUT", f"{origin} did not respond in time: use `async_`, or raise `timeout`.")
    message = f"{origin} cannot be reached ({error}): start Platen, or correct PLATEN_URL."
    return PlatenError("CONNECTION_FAILED", message)


def _error_of(response: httpx.Response, url: str | None) -> PlatenError:
    """Read the error of a response. A server that is not Platen sends none."""
    status = response.status_code
    with suppress(ValueError, AttributeError, httpx.HTTPError):
        response.read()
        error = ErrorResponse(response.json()).error
        if response.is_error and isinstance(error.code, str) and isinstance(error.message, str):
            return PlatenError(error.code, error.message, status, error)
    if url is not None:
        return _not_platen(url, status)
    message = f"The link does not work (status {status}): read the record again."
    return PlatenError("NO_FILE", message, status)


def _not_platen(url: str, status: int) -> PlatenError:
    message = f"{url} does not answer as Platen does (status {status}): correct PLATEN_URL."
    return PlatenError("NOT_PLATEN", message, status)


def _is_of_platen(response: httpx.Response) -> bool:
    """Tell whether Platen sent a response. Each of the API has the id of its request, and none is a page.

    A server in front may send files.
    """
    is_page = response.headers.get("content-type", "").startswith("text/html")
    has_id = "x-request-id" in response.headers or "/v1/" not in response.request.url.path
    return has_id and not is_page


def _seconds_to_wait(response: httpx.Response, backoff: float) -> float:
    """Return the time until another attempt; infinity if it would fail as well."""
    given = response.headers.get("retry-after", "")
    if re.fullmatch("[0-9]{1,9}", given):
        return int(given)
    # A proxy says so while the service restarts. Errors of the service are JSON.
    is_json = "json" in response.headers.get("content-type", "")
    return backoff if response.status_code in (502, 503, 504) and not is_json else math.inf
