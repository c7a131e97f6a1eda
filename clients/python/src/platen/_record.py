from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from ._errors import PlatenError

if TYPE_CHECKING:
    from ._connection import Connection

R = TypeVar("R", bound="Record")
Bytes = bytes
_hints = cache(get_type_hints)


class Record:
    """A JSON object of the service. Its fields are attributes, and ``record["field"]`` reads them as well.

    An underscore follows a name that is a keyword of Python: ``class_``. An absent field is ``None``.
    """

    def __init__(self, fields: dict[str, Any], connection: Connection | None = None) -> None:
        self._fields = fields
        self._connection = connection

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            hint = _hints(type(self)).get(name)
            field = name.rstrip("_")
            if name.startswith("_") or (hint is None and field not in self._fields):
                raise AttributeError(f"{type(self).__name__} has no field {field}")
            return _convert(self._fields.get(field), hint, self._connection)

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._fields!r})"

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_hints(type(self))]

    def to_dict(self) -> dict[str, Any]:
        """Return the object as it came."""
        return self._fields


def _convert(value: Any, hint: Any, connection: Connection | None) -> Any:
    """Make records of objects, as the type of the field says."""
    for choice in [hint, *get_args(hint)]:
        if isinstance(value, dict) and isinstance(choice, type) and issubclass(choice, Record):
            return choice(value, connection)
        if isinstance(value, list) and get_origin(choice) is list:
            return [_convert(entry, get_args(choice)[0], connection) for entry in value]
    return value


class Document(Record):
    """A record whose file can be downloaded. Requests take its ``id`` in place of a PDF."""

    id: str

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            fields = self._fields
            return fields["file_id"] if name == "id" and "id" not in fields else super().__getattr__(name)

    def stream(self) -> Iterator[Bytes]:
        """Download the file in pieces, once a document that was made with ``async_`` is there."""
        connection, fields = self._connection, self._fields
        if connection and fields.get("status") in ("queued", "processing"):
            fields = connection.wait_for_generation(fields["id"])
        if not connection or not fields.get("url"):
            raise PlatenError("NO_FILE", "The result has no file: choose one that has.")
        return connection.download(fields["url"])

    def bytes(self) -> Bytes:
        """Download the file."""
        return b"".join(self.stream())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Download the file to a path. If this fails, a file that is there already stays."""
        chunks = self.stream()
        part = f"{os.fspath(path)}.{uuid.uuid4().hex}.part"
        try:
            with open(part, "xb") as file:
                file.writelines(chunks)
            os.replace(part, path)
        except OSError as error:
            raise file_error(path, error) from None
        finally:
            with suppress(OSError):
                os.remove(part)


def file_error(path: Any, error: OSError) -> PlatenError:
    return PlatenError("FILE_ERROR", f"The file {path} cannot be used ({error.strerror}): correct the path.")
