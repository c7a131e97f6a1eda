# Written by `npm run openapi`.

from __future__ import annotations

from typing import Any, Literal, overload

from typing_extensions import Unpack

from . import types
from ._connection import Connection
from ._record import Record
from .types import (
    AccessibleRequest,
    AccessibleResult,
    AddFieldsRequest,
    AttachmentsRequest,
    AttachmentsResult,
    CompareRequest,
    CompareResult,
    CompressRequest,
    CompressResult,
    ConvertRequest,
    FillRequest,
    FlattenRequest,
    FormFieldList,
    ImagesRequest,
    InfoRequest,
    InvoiceRequest,
    InvoiceResult,
    ListFieldsRequest,
    MergeRequest,
    NumberRequest,
    OutlineRequest,
    OutlineResult,
    PagesRequest,
    PdfInfo,
    PdfResult,
    PdfaRequest,
    PdfaResult,
    PipelineRequest,
    PipelineResponse,
    PropertiesRequest,
    PropertiesResult,
    ProtectRequest,
    ProtectResult,
    ReadInvoiceRequest,
    ReadInvoiceResult,
    SignRequest,
    SignResult,
    SplitRequest,
    SplitResult,
    TextRequest,
    TextResult,
    TimestampRequest,
    TimestampResult,
    UnlockRequest,
    ValidateRequest,
    ValidateResult,
    VerifyRequest,
    VerifyResult,
    WatermarkRequest,
)

RESULTS: dict[str, type[Record]] = {
    "accessible": types.AccessibleResult,
    "attachments": types.AttachmentsResult,
    "compare": types.CompareResult,
    "compress": types.CompressResult,
    "flatten": types.PdfResult,
    "images": types.PdfResult,
    "info": types.PdfInfo,
    "invoice": types.InvoiceResult,
    "invoice/read": types.ReadInvoiceResult,
    "merge": types.PdfResult,
    "number": types.PdfResult,
    "outline": types.OutlineResult,
    "pages": types.PdfResult,
    "pdfa": types.PdfaResult,
    "properties": types.PropertiesResult,
    "protect": types.ProtectResult,
    "sign": types.SignResult,
    "split": types.SplitResult,
    "text": types.TextResult,
    "timestamp": types.TimestampResult,
    "unlock": types.PdfResult,
    "validate": types.ValidateResult,
    "verify": types.VerifyResult,
    "watermark": types.PdfResult,
    "stamp": types.PdfResult,
    "pipeline": types.PipelineResponse,
    "convert": types.PdfResult,
    "forms/fill": types.PdfResult,
    "forms/list-fields": types.FormFieldList,
    "forms/add-fields": types.PdfResult,
}


class PdfOperations:
    """The operations on PDFs."""

    _connection: Connection

    @overload
    def pdf(
        self, operation: Literal["accessible"], *, idempotency_key: str | None = None, **request: Unpack[AccessibleRequest]
    ) -> AccessibleResult:
        """Make a tagged PDF accessible."""

    @overload
    def pdf(
        self, operation: Literal["attachments"], *, idempotency_key: str | None = None, **request: Unpack[AttachmentsRequest]
    ) -> AttachmentsResult:
        """List, add, remove or extract attachments."""

    @overload
    def pdf(
        self, operation: Literal["compare"], *, idempotency_key: str | None = None, **request: Unpack[CompareRequest]
    ) -> CompareResult:
        """Compare two PDFs page by page."""

    @overload
    def pdf(
        self, operation: Literal["compress"], *, idempotency_key: str | None = None, **request: Unpack[CompressRequest]
    ) -> CompressResult:
        """Make a PDF smaller."""

    @overload
    def pdf(
        self, operation: Literal["flatten"], *, idempotency_key: str | None = None, **request: Unpack[FlattenRequest]
    ) -> PdfResult:
        """Turn form fields and annotations into page content."""

    @overload
    def pdf(
        self, operation: Literal["images"], *, idempotency_key: str | None = None, **request: Unpack[ImagesRequest]
    ) -> PdfResult:
        """Draw pages as images."""

    @overload
    def pdf(
        self, operation: Literal["info"], *, idempotency_key: str | None = None, **request: Unpack[InfoRequest]
    ) -> PdfInfo:
        """Read the properties of a PDF."""

    @overload
    def pdf(
        self, operation: Literal["invoice"], *, idempotency_key: str | None = None, **request: Unpack[InvoiceRequest]
    ) -> InvoiceResult:
        """Make an electronic invoice."""

    @overload
    def pdf(
        self, operation: Literal["invoice/read"], *, idempotency_key: str | None = None, **request: Unpack[ReadInvoiceRequest]
    ) -> ReadInvoiceResult:
        """Read an electronic invoice."""

    @overload
    def pdf(
        self, operation: Literal["merge"], *, idempotency_key: str | None = None, **request: Unpack[MergeRequest]
    ) -> PdfResult:
        """Merge PDFs."""

    @overload
    def pdf(
        self, operation: Literal["number"], *, idempotency_key: str | None = None, **request: Unpack[NumberRequest]
    ) -> PdfResult:
        """Number the pages."""

    @overload
    def pdf(
        self, operation: Literal["outline"], *, idempotency_key: str | None = None, **request: Unpack[OutlineRequest]
    ) -> OutlineResult:
        """Read or write the bookmarks."""

    @overload
    def pdf(
        self, operation: Literal["pages"], *, idempotency_key: str | None = None, **request: Unpack[PagesRequest]
    ) -> PdfResult:
        """Select, reorder, rotate, repeat or delete pages."""

    @overload
    def pdf(
        self, operation: Literal["pdfa"], *, idempotency_key: str | None = None, **request: Unpack[PdfaRequest]
    ) -> PdfaResult:
        """Convert a PDF to PDF/A."""

    @overload
    def pdf(
        self, operation: Literal["properties"], *, idempotency_key: str | None = None, **request: Unpack[PropertiesRequest]
    ) -> PropertiesResult:
        """Read or write title, author and other properties."""

    @overload
    def pdf(
        self, operation: Literal["protect"], *, idempotency_key: str | None = None, **request: Unpack[ProtectRequest]
    ) -> ProtectResult:
        """Protect a PDF with passwords."""

    @overload
    def pdf(
        self, operation: Literal["sign"], *, idempotency_key: str | None = None, **request: Unpack[SignRequest]
    ) -> SignResult:
        """Sign a PDF."""

    @overload
    def pdf(
        self, operation: Literal["split"], *, idempotency_key: str | None = None, **request: Unpack[SplitRequest]
    ) -> SplitResult:
        """Split a PDF into page ranges."""

    @overload
    def pdf(
        self, operation: Literal["text"], *, idempotency_key: str | None = None, **request: Unpack[TextRequest]
    ) -> TextResult:
        """Extract the text."""

    @overload
    def pdf(
        self, operation: Literal["timestamp"], *, idempotency_key: str | None = None, **request: Unpack[TimestampRequest]
    ) -> TimestampResult:
        """Add a document timestamp."""

    @overload
    def pdf(
        self, operation: Literal["unlock"], *, idempotency_key: str | None = None, **request: Unpack[UnlockRequest]
    ) -> PdfResult:
        """Remove the passwords of a PDF."""

    @overload
    def pdf(
        self, operation: Literal["validate"], *, idempotency_key: str | None = None, **request: Unpack[ValidateRequest]
    ) -> ValidateResult:
        """Check the profiles that a PDF claims."""

    @overload
    def pdf(
        self, operation: Literal["verify"], *, idempotency_key: str | None = None, **request: Unpack[VerifyRequest]
    ) -> VerifyResult:
        """Verify the signatures of a PDF."""

    @overload
    def pdf(
        self, operation: Literal["watermark"], *, idempotency_key: str | None = None, **request: Unpack[WatermarkRequest]
    ) -> PdfResult:
        """Draw a watermark on the pages."""

    @overload
    def pdf(
        self, operation: Literal["stamp"], *, idempotency_key: str | None = None, **request: Unpack[WatermarkRequest]
    ) -> PdfResult:
        """Stamp the pages."""

    @overload
    def pdf(
        self, operation: Literal["pipeline"], *, idempotency_key: str | None = None, **request: Unpack[PipelineRequest]
    ) -> PipelineResponse:
        """Run several operations on a PDF."""

    @overload
    def pdf(
        self, operation: Literal["convert"], *, idempotency_key: str | None = None, **request: Unpack[ConvertRequest]
    ) -> PdfResult:
        """Convert an office document to PDF."""

    @overload
    def pdf(
        self, operation: Literal["forms/fill"], *, idempotency_key: str | None = None, **request: Unpack[FillRequest]
    ) -> PdfResult:
        """Fill in a form."""

    @overload
    def pdf(
        self, operation: Literal["forms/list-fields"], *, idempotency_key: str | None = None, **request: Unpack[ListFieldsRequest]
    ) -> FormFieldList:
        """List the fields of a form."""

    @overload
    def pdf(
        self, operation: Literal["forms/add-fields"], *, idempotency_key: str | None = None, **request: Unpack[AddFieldsRequest]
    ) -> PdfResult:
        """Add fields to a PDF."""

    def pdf(self, operation: str, *, idempotency_key: str | None = None, **request: Any) -> Any:
        """Run an operation on PDFs, such as ``pdf("merge", pdfs=[cover.id, report.id])``.

        The operation is the end of its path. A PDF is an id (``gen_…``, ``file_…``), bytes, an open file, a ``Path`` or base64.
        """
        return self._connection.call(
            RESULTS.get(operation, Record), "POST", f"/v1/pdf/{operation}", body=request, key=idempotency_key
        )
