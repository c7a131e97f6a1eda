from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import ApiError


class PlatenError(Exception):
    """An error of the service, or of the client itself, whose message says what to do.

    Errors of the client have no ``status``, and the code ``INVALID_SETTING``, ``INVALID_VALUE``,
    ``CONNECTION_FAILED``, ``TIMEOUT``, ``NOT_PLATEN``, ``FILE_ERROR``, ``NO_FILE`` or ``INVALID_SIGNATURE``.
    """

    def __init__(
        self, code: str, message: str, status: int | None = None, error: ApiError | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.details = error.details if error else []
        """The faults, each with the field of the request as ``path``."""
        self.request_id = error.request_id if error else None
        """The name of the request in the log of the service."""
