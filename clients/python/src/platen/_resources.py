from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import IO, Any, TypeVar, Union
from urllib.parse import quote

from typing_extensions import TypeAlias, Unpack

from . import types
from ._connection import Connection
from ._record import file_error

Pages = TypeVar("Pages", types.GenerationList, types.TemplateList, types.BatchList, types.FileList)

FileContent: TypeAlias = Union[str, "os.PathLike[str]", bytes, IO[bytes], Iterable[bytes]]
"""A file to upload: its path, its bytes, an open file, or pieces, which are sent as they come."""


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

    def wait(self, id: str) -> types.Batch:
        """Wait until all items have ended, also those that fail."""
        return types.Batch(self._connection.wait(at("/v1/batches", id)), self._connection)

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
        is_path = isinstance(content, (str, os.PathLike))
        try:
            source: Any = open(content, "rb") if is_path else content  # type: ignore[arg-type]
        except OSError as error:
            raise file_error(content, error) from None
        data = {name: each if isinstance(each, str) else json.dumps(each) for name, each in fields.items()}
        with source if is_path else nullcontext():
            is_file = isinstance(source, bytes) or hasattr(source, "read")
            # The name says what a text or a table is.
            file_name = os.path.basename(str(getattr(source, "name", "file")))
            response = self._connection.send(
                "POST",
                "/v1/files",
                key=idempotency_key,
                data=data,
                files={"file": (file_name, source if is_file else Pieces(source))},
                is_once=not is_path and not isinstance(source, bytes),
            )
        return types.StoredFile(self._connection.fields_of(response), self._connection)

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


class Pieces:
    """Reads pieces of bytes as a file."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")
