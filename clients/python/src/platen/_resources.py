from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, TypeVar, Union
from urllib.parse import quote

from typing_extensions import TypeAlias, Unpack

from . import types
from ._connection import Connection, error_of_work
from ._json import to_json
from ._record import Document, file_error

Pages = TypeVar("Pages", types.GenerationList, types.TemplateList, types.BatchList, types.FileList)

FileContent: TypeAlias = Union[str, "os.PathLike[str]", bytes, IO[bytes], Iterable[bytes]]
"""A file to upload: its path, its bytes, an open file, or pieces, which are sent as they come."""

BulkItems: TypeAlias = Union[FileContent, Iterable[dict[str, Any]]]
"""The items of a batch: an iterable with the data of each, or a file with CSV or a line of JSON for each."""


class BatchItem(types.BatchListItem, Document):
    """An item of a batch. It can be downloaded if it has a PDF."""


def at(path: str, id: str) -> str:
    return f"{path}/{quote(id, safe='')}"


class Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _list(self, page: type[Pages], path: str, filters: Any) -> Iterator[Any]:
        """Read a list in pages, newest entry first. Entries may be deleted as they come."""
        query = {"limit": 100, **filters}
        entries = self._connection.call(page, "GET", path, query=query)
        while entries.data:
            *others, last = entries.data
            yield from others
            query["starting_after"] = last["batch_id"] if path == "/v1/batches" else last["id"]
            following = entries.has_more and self._connection.call(page, "GET", path, query=query)
            yield last
            if not following:
                return
            entries = following

    def _send_file(self, path: str, content: Any, fields: Mapping[str, Any], key: str | None) -> Any:
        """Send a file with fields as a form, and read the JSON. A stream is sent only once."""
        is_once = not isinstance(content, (str, os.PathLike, bytes))
        data = {name: each if isinstance(each, str) else json.dumps(each) for name, each in fields.items()}
        with opened(content) as source:
            is_file = isinstance(source, bytes) or hasattr(source, "read")
            # The name says what a text or a table is.
            file_name = os.path.basename(str(getattr(source, "name", "file")))
            file = (file_name, source if is_file else Pieces(source))
            response = self._connection.send(
                "POST", path, key=key, data=data, files={"file": file}, is_once=is_once
            )
        return self._connection.fields_of(response)


class Generations(Resource):
    """Records of documents."""

    def get(self, id: str, *, receipt: bool = False) -> types.Generation:
        path = at("/v1/generations", id)
        return self._connection.call(types.Generation, "GET", path, query={"receipt": receipt})

    def list(self, **filters: Unpack[types.ListGenerationsFilters]) -> Iterator[types.GenerationSummary]:
        """List generations, newest first."""
        return self._list(types.GenerationList, "/v1/generations", filters)

    def wait(self, id: str) -> types.Generation:
        """Wait until a generation made with ``async_`` has completed. Raises its fault if it fails."""
        return types.Generation(self._connection.wait_for_generation(id), self._connection)

    def delete(self, id: str) -> None:
        """Delete a generation and its file."""
        self._connection.send("DELETE", at("/v1/generations", id))


class Templates(Resource):
    """Stored templates. An alias stands for an id."""

    def create(
        self, *, idempotency_key: str | None = None, **template: Unpack[types.CreateTemplateRequest]
    ) -> types.CreatedTemplate:
        call = self._connection.call
        return call(types.CreatedTemplate, "POST", "/v1/templates", body={**template}, key=idempotency_key)

    def get(self, id: str) -> types.Template:
        return self._connection.call(types.Template, "GET", at("/v1/templates", id))

    def list(self, **filters: Unpack[types.ListTemplatesFilters]) -> Iterator[types.TemplateSummary]:
        """List templates, newest first, without their HTML."""
        return self._list(types.TemplateList, "/v1/templates", filters)

    def update(self, id: str, **changes: Unpack[types.UpdateTemplateRequest]) -> types.Template:
        """Change a template. Other content makes a new version."""
        return self._connection.call(types.Template, "PUT", at("/v1/templates", id), body={**changes})

    def delete(self, id: str) -> None:
        self._connection.send("DELETE", at("/v1/templates", id))


class Batches(Resource):
    """Many documents from one request."""

    def create(
        self, *, idempotency_key: str | None = None, **batch: Unpack[types.BatchRequest]
    ) -> types.AcceptedBatch:
        """Store up to 100 documents, which are made in the background."""
        return self._connection.call(
            types.AcceptedBatch, "POST", "/v1/generate/batch", body={**batch}, key=idempotency_key
        )

    def get(self, id: str) -> types.Batch:
        return self._connection.call(types.Batch, "GET", at("/v1/batches", id))

    def list(self, **filters: Unpack[types.ListBatchesFilters]) -> Iterator[types.BatchSummary]:
        """List batches, newest first, without their items."""
        return self._list(types.BatchList, "/v1/batches", filters)

    def create_bulk(
        self, items: BulkItems, *, idempotency_key: str | None = None, **settings: Unpack[types.BulkSettings]
    ) -> types.AcceptedBulkBatch:
        """Store up to 10,000 documents of a template.

        A list is sent again if the connection breaks; an open file, or another iterable, is sent only once.
        """
        content: Any = b"".join(lines_of(items)) if isinstance(items, (list, tuple)) else items
        if not isinstance(content, (str, os.PathLike, bytes)) and not hasattr(content, "read"):
            content = lines_of(content)
        accepted = self._send_file("/v1/batches", content, settings, idempotency_key)
        return types.AcceptedBulkBatch(accepted, self._connection)

    def wait(self, id: str, on_progress: Callable[[types.Batch], object] | None = None) -> types.Batch:
        """Wait until all items have ended, also those that fail.

        ``on_progress`` is called with the batch each time it has been read.
        """

        def note(fields: dict[str, Any]) -> None:
            if on_progress:
                on_progress(types.Batch(fields, self._connection))

        return types.Batch(self._connection.wait(at("/v1/batches", id), note), self._connection)

    def items(self, id: str, *, status: types.BatchItemStatus | None = None) -> Iterator[BatchItem]:
        """List the items in the order of the file."""
        offset, has_more = 0, True
        while has_more:
            query = {"status": status, "limit": 100, "offset": offset}
            path = at("/v1/batches", id) + "/items"
            page = self._connection.call(types.BatchItemList, "GET", path, query=query)
            for item in page.data:
                yield BatchItem(item.to_dict(), self._connection)
            offset, has_more = offset + 100, page.has_more

    def result(self, id: str) -> Document:
        """Wait for the archive or the merged PDF of a batch.

        Raises the error of a batch that could not make it.
        """
        batch = self.wait(id)
        if batch.result_error:
            raise error_of_work(batch.result_error, id)
        return Document({"id": id, "url": batch.result_url}, self._connection)

    def cancel(self, id: str) -> types.Batch:
        """Cancel the items that are still queued."""
        return self._connection.call(types.Batch, "POST", at("/v1/batches", id) + "/cancel")


class Files(Resource):
    """Uploaded PDFs, and results of operations."""

    def upload(
        self,
        content: FileContent,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[types.UploadFields],
    ) -> types.StoredFile:
        """Upload a PDF, whose id other requests take. An open file or pieces are sent only once."""
        stored = self._send_file("/v1/files", content, fields, idempotency_key)
        return types.StoredFile(stored, self._connection)

    def download(self, id: str) -> Iterator[bytes]:
        """Download a file in pieces."""
        return self.get(id).stream()

    def get(self, id: str) -> types.StoredFile:
        return self._connection.call(types.StoredFile, "GET", at("/v1/files", id))

    def list(self, **filters: Unpack[types.ListFilesFilters]) -> Iterator[types.StoredFile]:
        """List files, newest first."""
        return self._list(types.FileList, "/v1/files", filters)

    def delete(self, id: str) -> None:
        self._connection.send("DELETE", at("/v1/files", id))


@contextmanager
def opened(content: Any) -> Iterator[Any]:
    """Open a path, and close it afterwards. Other content stays as it is."""
    if not isinstance(content, (str, os.PathLike)):
        yield content
        return
    try:
        file = open(content, "rb")
    except OSError as error:
        raise file_error(content, error) from None
    with file:
        yield file


def lines_of(items: Iterable[Any]) -> Iterator[bytes]:
    """Write records as lines of JSON. Pieces of a file stay as they are."""
    for item in items:
        yield item if isinstance(item, bytes) else to_json(item) + b"\n"


class Pieces:
    """Reads pieces of bytes as a file."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")
