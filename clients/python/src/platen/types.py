# Written by `npm run openapi`.

"""The types of the API."""

from __future__ import annotations

import os
from typing import IO, Any, Literal, Union

from typing_extensions import NotRequired, TypeAlias, TypedDict

from ._record import Document, Record


class GenerateRequest(TypedDict):
    url: NotRequired[str]
    """An http or https URL, whose page is loaded with its scripts and printed."""
    cookies: NotRequired[list[Cookie]]
    """Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them."""
    headers: NotRequired[RequestHeaders]
    basic_auth: NotRequired[BasicAuth]
    user_agent: NotRequired[str]
    """Only with `url`: the `User-Agent` of all requests, including those to other origins."""
    html: NotRequired[str]
    """The HTML of the document. With `data` it is a Handlebars template."""
    template: NotRequired[str]
    """The id of a stored template, `tmpl_…`, or its alias."""
    template_version: NotRequired[VersionChoice]
    """The version of `template` to use, or `draft`; the current one when absent."""
    react: NotRequired[str]
    """JSX or TSX whose default export is a component. `data` becomes its props."""
    markdown: NotRequired[str]
    """GitHub-flavoured Markdown, printed with a default style sheet. Raw HTML in it is treated like `html`. With `data` it is a Handlebars template."""
    data: NotRequired[TemplateData]
    locale: NotRequired[str]
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    styles: NotRequired[str]
    """CSS that is added at the end of the document's head."""
    options: NotRequired[RenderOptions | None]
    """null means no options."""
    translations: NotRequired[dict[str, Any]]
    """Messages by language and name in the ICU format, `{"de": {"total": "Summe"}}`, for `{{t "total"}}`; at most 131072 bytes. `{}` removes them."""
    default_locale: NotRequired[str]
    """The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent."""
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    type: NotRequired[DocumentType]
    webhook: NotRequired[str]
    """An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`. A signed message (Standard Webhooks) is sent to it by POST, and retried a limited number of times until the receiver responds with 2xx."""
    async_: NotRequired[bool]
    """true: the response is 202 with a generation that is `queued`. Read the result with `GET /v1/generations/:id`, or receive it at the `webhook`."""


class Cookie(TypedDict):
    name: str
    """The name of the cookie."""
    value: str
    """ASCII without semicolons and control characters."""
    domain: NotRequired[str]
    """The URL's host or a parent domain of it. The cookie is sent only to the URL's origin in either case."""
    path: NotRequired[str]
    """The path below which the cookie is sent; `/` when absent."""


class BasicAuth(TypedDict):
    """Only with `url`: the user name and password of HTTP Basic authentication, sent only to its origin."""
    username: str
    """Without colons."""
    password: str
    """The password."""


class RenderOptions(TypedDict):
    format: NotRequired[Union[PaperFormat, PaperSize]]
    """The paper format: a name in upper or lower case, or a size. A4 when absent."""
    margin: NotRequired[Union[float, str, PageMargins]]
    """The margins of all sides or per side. The default is 0.5in."""
    orientation: NotRequired[Orientation]
    header: NotRequired[str]
    """HTML without scripts. `{{pageNumber}}`, `{{totalPages}}`, `{{sectionTitle}}`, `{{sectionPageNumber}}` and `{{sectionTotalPages}}` are replaced. With `data` or a `template`, the rest is a Handlebars template, whose result has at most 400,000 characters. Images must be assets (`asset:logo.png`) or data: URIs."""
    footer: NotRequired[str]
    """HTML without scripts. `{{pageNumber}}`, `{{totalPages}}`, `{{sectionTitle}}`, `{{sectionPageNumber}}` and `{{sectionTotalPages}}` are replaced. With `data` or a `template`, the rest is a Handlebars template, whose result has at most 400,000 characters. Images must be assets (`asset:logo.png`) or data: URIs."""
    firstPage: NotRequired[RenderOptionsFirstPage]
    """The header and footer of the first page. An empty string prints nothing; an absent field keeps `header` or `footer` of the other pages."""
    pageNumberStart: NotRequired[int]
    """The number of the first page; 1 when absent. `{{totalPages}}` is then the number of the last page. Applies to headers, footers and the CSS counter `page`."""
    printBackground: NotRequired[bool]
    """Background colours and images; true when absent."""
    scale: NotRequired[float]
    """The size of the content relative to its CSS size; 1 when absent. Margins, header and footer are not scaled."""
    singlePage: NotRequired[bool]
    """true: print the document on one page that is as tall as its content, up to 200in. `format` is then the name of a format, whose width applies, or `{ width }`. Page breaks have no effect."""
    pageRanges: NotRequired[str]
    """The pages to print, such as "1-3, 5, 9-"; `9-` ends with the document, and `10-8` is reversed. All pages when absent. Page numbers in header and footer stay those of the document."""
    media: NotRequired[Literal["print", "screen"]]
    """The media type whose styles apply; print when absent."""
    waitFor: NotRequired[WaitFor]
    preferCssPageSize: NotRequired[bool]
    """Whether `@page { size }` in the document replaces `format` and `orientation`. By default it does when both are absent."""
    strict: NotRequired[bool]
    """Fail the generation when an image, style sheet, font or other asset does not load, or a script throws. The default is false."""
    onAssetError: NotRequired[AssetErrorPolicy]
    ignoreAssetHosts: NotRequired[list[str]]
    """Hosts (`cdn.example.com`, any port) or hosts and ports (`cdn.example.com:8080`) whose assets may fail."""
    outline: NotRequired[bool]
    """true: add bookmarks from the headings h1 to h6. The default is false."""
    browser: NotRequired[BrowserChoice]
    properties: NotRequired[DocumentProperties]
    watermark: NotRequired[WatermarkOptions]
    attachments: NotRequired[list[Attachment]]
    """Files to attach to the PDF: up to 100 files with 25,000,000 bytes together."""
    protect: NotRequired[ProtectOptions]
    pdfa: NotRequired[Union[bool, Literal["1b", "2b", "2u", "3b", "3u"]]]
    """Convert the PDF to this level of PDF/A and validate the result. `true` means "1b". Only "3b" and "3u" allow attachments. The default is false."""
    invoice: NotRequired[InvoiceOptions]
    accessible: NotRequired[Union[bool, Literal["report"]]]
    """true: make the PDF accessible (PDF/UA-1) and validate it. A document with faults that only its author can correct, such as a picture without a text alternative, gets a 400, whose `details` have the CSS path of each element. "report": the same, but the faults are a list in the receipt, and the PDF claims PDF/UA-1 only if the list is empty. The default is false."""
    signature: NotRequired[SignatureOptions]


class PaperSize(TypedDict):
    width: str
    """A length in px, in, cm, mm, pt or pc. A number without a unit is in px."""
    height: NotRequired[str]
    """Required without `singlePage`, and not allowed with it."""


class PageMargins(TypedDict):
    top: NotRequired[MarginLength]
    right: NotRequired[MarginLength]
    bottom: NotRequired[MarginLength]
    left: NotRequired[MarginLength]


class RenderOptionsFirstPage(TypedDict):
    header: NotRequired[str]
    """HTML without scripts. `{{pageNumber}}`, `{{totalPages}}`, `{{sectionTitle}}`, `{{sectionPageNumber}}` and `{{sectionTotalPages}}` are replaced. With `data` or a `template`, the rest is a Handlebars template, whose result has at most 400,000 characters. Images must be assets (`asset:logo.png`) or data: URIs."""
    footer: NotRequired[str]
    """HTML without scripts. `{{pageNumber}}`, `{{totalPages}}`, `{{sectionTitle}}`, `{{sectionPageNumber}}` and `{{sectionTotalPages}}` are replaced. With `data` or a `template`, the rest is a Handlebars template, whose result has at most 400,000 characters. Images must be assets (`asset:logo.png`) or data: URIs."""


class WaitFor(TypedDict):
    """The conditions that a loaded document must meet before it is printed, in the order of these fields. A condition that is not met within the time limit of the document fails it with an error that names the condition."""
    selector: NotRequired[str]
    """A CSS selector that an element of the document must match."""
    expression: NotRequired[str]
    """A JavaScript expression that must become true, or return a promise of a true value. It is evaluated in the document until it is true."""
    networkIdle: NotRequired[bool]
    """true: no request may have been pending for 500 ms."""
    delayMs: NotRequired[int]
    """Milliseconds; less than the time limit of a document."""


class DocumentProperties(TypedDict):
    """Properties of the PDF, in its information dictionary and XMP metadata. By default, the title is that of the document. An empty value removes a property."""
    title: NotRequired[str]
    """The title of the document."""
    author: NotRequired[str]
    """The author of the document."""
    subject: NotRequired[str]
    """The subject of the document."""
    keywords: NotRequired[list[str]]
    language: NotRequired[str]
    """The language of the document (BCP 47), such as "en-GB"."""


class WatermarkOptions(TypedDict):
    """A text, an image or a PDF to draw on the pages: by default under the content, centred, with an opacity of 0.2, and text at 45°."""
    text: NotRequired[str]
    """Text in any script. A line feed starts a new line."""
    pages: NotRequired[str]
    """The pages that get the mark, such as "1-3, 5, 9-". All pages when absent."""
    position: NotRequired[MarkPosition]
    offset: NotRequired[MarkOffset]
    margin: NotRequired[float]
    """The distance from the edges of the page in points; 24 when absent."""
    opacity: NotRequired[float]
    """From 0, invisible, to 1, opaque."""
    rotation: NotRequired[MarkRotation]
    scale: NotRequired[float]
    """Multiplies the size; 1 when absent."""
    color: NotRequired[str]
    """The colour of the text, such as "#cc0000"; black when absent."""
    tile: NotRequired[bool]
    """true: repeat the mark over the whole page."""
    layer: NotRequired[MarkLayer]
    image: NotRequired[FileData]
    """A PNG, JPEG, WebP or GIF image in base64, up to 5,000,000 bytes."""
    overlay: NotRequired[FileData]
    """A PDF in base64, up to 5,000,000 bytes, or the id of a generation or file (`gen_…`, `file_…`). Each page of the document gets one of its pages, and the last is repeated."""
    relativeSize: NotRequired[float]
    """The size as a fraction of the page, before the mark is turned: of the width for a mark that is wider than high, otherwise of the height."""
    fontSize: NotRequired[float]
    """The size of the text in points. By default, a watermark fills the page, up to 144 points, and a stamp has 24 points."""


class MarkPoint(TypedDict):
    x: float
    y: float


class MarkOffset(TypedDict):
    """Moves the mark from its position, in points to the right and up."""
    x: float
    y: float


class Attachment(TypedDict):
    name: str
    """The name of the file, which no other attachment of the PDF has. Slashes, control characters, and names of only dots and spaces are not allowed."""
    data: FileData
    """The content in base64."""
    mimeType: NotRequired[str]
    """The media type, such as "text/csv"; application/octet-stream when absent."""
    description: NotRequired[str]
    """The description that readers show."""
    relationship: NotRequired[AttachmentRelationship]


class ProtectOptions(TypedDict):
    """Encrypts the PDF with AES-256. Only if the operator has switched it on with `plugins.pdf-tools.protect`. The passwords are not stored."""
    ownerPassword: str
    """Opens the PDF without restrictions. At most 127 bytes of UTF-8."""
    userPassword: NotRequired[str]
    """Opens the PDF with the permissions. Without it, the PDF opens without a password. At most 127 bytes of UTF-8."""
    permissions: NotRequired[PdfPermissions]


class PdfPermissions(TypedDict):
    """The rights of a reader that opens the PDF without the owner password. Readers are expected to obey them, but the encryption cannot enforce them."""
    printing: NotRequired[bool]
    """Printing in any quality; true when absent."""
    copying: NotRequired[bool]
    """Copying text and images; programs for people with disabilities can always read the text; false when absent."""
    modifying: NotRequired[bool]
    """Changing the content of pages; false when absent."""
    annotating: NotRequired[bool]
    """Adding and changing annotations and form fields; as `modifying` when absent."""
    filling: NotRequired[bool]
    """Filling in form fields, and signing; as `modifying` when absent."""
    assembling: NotRequired[bool]
    """Inserting, deleting and rotating pages; as `modifying` when absent."""


class InvoiceOptions(TypedDict):
    """Makes the PDF an electronic invoice: a PDF/A-3b with the data of the invoice (Factur-X, ZUGFeRD, XRechnung). Without `data`, the data is `data.invoice` of the template, which is then printed with the computed totals. An invoice that violates a rule of EN 16931 gets a 400 whose details name each rule."""
    profile: InvoiceProfile
    data: NotRequired[InvoiceData]
    document: NotRequired[InvoiceDocument]

InvoiceData = TypedDict(
    "InvoiceData",
    {
        "ubl:Invoice": "NotRequired[InvoiceDataInvoice]",
    },
)
"""The invoice in plain words: `number`, `date`, `due`, `currency`, `seller`, `buyer`, `lines` (`name`, `quantity`, `unit`, `price`, `vat`), and the other fields of docs/invoices.md; or in `ubl:Invoice`, the elements of UBL 2.1 by name, attributes as `name@attribute`. Amounts are strings or numbers. Absent totals, VAT amounts and line amounts are computed; present ones are checked."""

InvoiceDataInvoiceInvoicePeriod = TypedDict(
    "InvoiceDataInvoiceInvoicePeriod",
    {
        "cbc:StartDate": "NotRequired[str]",
        "cbc:EndDate": "NotRequired[str]",
        "cbc:DescriptionCode": "NotRequired[str]",
    },
)

InvoiceDataInvoiceOrderReference = TypedDict(
    "InvoiceDataInvoiceOrderReference",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:SalesOrderID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceBillingReferenceItemInvoiceDocumentReference = TypedDict(
    "InvoiceDataInvoiceBillingReferenceItemInvoiceDocumentReference",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:IssueDate": "NotRequired[str]",
    },
)

InvoiceDataInvoiceBillingReferenceItem = TypedDict(
    "InvoiceDataInvoiceBillingReferenceItem",
    {
        "cac:InvoiceDocumentReference": "NotRequired[InvoiceDataInvoiceBillingReferenceItemInvoiceDocumentReference]",
    },
)

InvoiceReference = TypedDict(
    "InvoiceReference",
    {
        "cbc:ID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceAdditionalDocumentReferenceItemAttachmentExternalReference = TypedDict(
    "InvoiceDataInvoiceAdditionalDocumentReferenceItemAttachmentExternalReference",
    {
        "cbc:URI": "NotRequired[str]",
    },
)

InvoiceDataInvoiceAdditionalDocumentReferenceItemAttachment = TypedDict(
    "InvoiceDataInvoiceAdditionalDocumentReferenceItemAttachment",
    {
        "cbc:EmbeddedDocumentBinaryObject": "NotRequired[str]",
        "cbc:EmbeddedDocumentBinaryObject@mimeCode": "NotRequired[str]",
        "cbc:EmbeddedDocumentBinaryObject@filename": "NotRequired[str]",
        "cac:ExternalReference": "NotRequired[InvoiceDataInvoiceAdditionalDocumentReferenceItemAttachmentExternalReference]",
    },
)

InvoiceDataInvoiceAdditionalDocumentReferenceItem = TypedDict(
    "InvoiceDataInvoiceAdditionalDocumentReferenceItem",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:ID@schemeID": "NotRequired[str]",
        "cbc:DocumentTypeCode": "NotRequired[str]",
        "cbc:DocumentDescription": "NotRequired[str]",
        "cac:Attachment": "NotRequired[InvoiceDataInvoiceAdditionalDocumentReferenceItemAttachment]",
    },
)

InvoiceIdentifier = TypedDict(
    "InvoiceIdentifier",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:ID@schemeID": "NotRequired[str]",
    },
)

InvoicePartyName = TypedDict(
    "InvoicePartyName",
    {
        "cbc:Name": "NotRequired[str]",
    },
)

InvoiceAddress = TypedDict(
    "InvoiceAddress",
    {
        "cbc:StreetName": "NotRequired[str]",
        "cbc:AdditionalStreetName": "NotRequired[str]",
        "cbc:CityName": "NotRequired[str]",
        "cbc:PostalZone": "NotRequired[str]",
        "cbc:CountrySubentity": "NotRequired[str]",
        "cac:AddressLine": "NotRequired[InvoiceAddressAddressLine]",
        "cac:Country": "NotRequired[InvoiceAddressCountry]",
    },
)

InvoiceAddressAddressLine = TypedDict(
    "InvoiceAddressAddressLine",
    {
        "cbc:Line": "NotRequired[str]",
    },
)

InvoiceAddressCountry = TypedDict(
    "InvoiceAddressCountry",
    {
        "cbc:IdentificationCode": "NotRequired[str]",
    },
)

InvoiceTaxRegistration = TypedDict(
    "InvoiceTaxRegistration",
    {
        "cbc:CompanyID": "NotRequired[str]",
        "cac:TaxScheme": "NotRequired[InvoiceTaxScheme]",
    },
)

InvoiceTaxScheme = TypedDict(
    "InvoiceTaxScheme",
    {
        "cbc:ID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceAccountingSupplierPartyPartyPartyLegalEntity = TypedDict(
    "InvoiceDataInvoiceAccountingSupplierPartyPartyPartyLegalEntity",
    {
        "cbc:RegistrationName": "NotRequired[str]",
        "cbc:CompanyID": "NotRequired[str]",
        "cbc:CompanyID@schemeID": "NotRequired[str]",
        "cbc:CompanyLegalForm": "NotRequired[str]",
    },
)

InvoiceContact = TypedDict(
    "InvoiceContact",
    {
        "cbc:Name": "NotRequired[str]",
        "cbc:Telephone": "NotRequired[str]",
        "cbc:ElectronicMail": "NotRequired[str]",
    },
)

InvoiceDataInvoiceAccountingSupplierPartyParty = TypedDict(
    "InvoiceDataInvoiceAccountingSupplierPartyParty",
    {
        "cbc:EndpointID": "NotRequired[str]",
        "cbc:EndpointID@schemeID": "NotRequired[str]",
        "cac:PartyIdentification": "NotRequired[list[InvoiceIdentifier]]",
        "cac:PartyName": "NotRequired[InvoicePartyName]",
        "cac:PostalAddress": "NotRequired[InvoiceAddress]",
        "cac:PartyTaxScheme": "NotRequired[list[InvoiceTaxRegistration]]",
        "cac:PartyLegalEntity": "NotRequired[InvoiceDataInvoiceAccountingSupplierPartyPartyPartyLegalEntity]",
        "cac:Contact": "NotRequired[InvoiceContact]",
    },
)

InvoiceDataInvoiceAccountingSupplierParty = TypedDict(
    "InvoiceDataInvoiceAccountingSupplierParty",
    {
        "cac:Party": "NotRequired[InvoiceDataInvoiceAccountingSupplierPartyParty]",
    },
)

InvoiceDataInvoiceAccountingCustomerPartyPartyPartyLegalEntity = TypedDict(
    "InvoiceDataInvoiceAccountingCustomerPartyPartyPartyLegalEntity",
    {
        "cbc:RegistrationName": "NotRequired[str]",
        "cbc:CompanyID": "NotRequired[str]",
        "cbc:CompanyID@schemeID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceAccountingCustomerPartyParty = TypedDict(
    "InvoiceDataInvoiceAccountingCustomerPartyParty",
    {
        "cbc:EndpointID": "NotRequired[str]",
        "cbc:EndpointID@schemeID": "NotRequired[str]",
        "cac:PartyIdentification": "NotRequired[InvoiceIdentifier]",
        "cac:PartyName": "NotRequired[InvoicePartyName]",
        "cac:PostalAddress": "NotRequired[InvoiceAddress]",
        "cac:PartyTaxScheme": "NotRequired[InvoiceTaxRegistration]",
        "cac:PartyLegalEntity": "NotRequired[InvoiceDataInvoiceAccountingCustomerPartyPartyPartyLegalEntity]",
        "cac:Contact": "NotRequired[InvoiceContact]",
    },
)

InvoiceDataInvoiceAccountingCustomerParty = TypedDict(
    "InvoiceDataInvoiceAccountingCustomerParty",
    {
        "cac:Party": "NotRequired[InvoiceDataInvoiceAccountingCustomerPartyParty]",
    },
)

InvoiceDataInvoicePayeePartyPartyLegalEntity = TypedDict(
    "InvoiceDataInvoicePayeePartyPartyLegalEntity",
    {
        "cbc:CompanyID": "NotRequired[str]",
        "cbc:CompanyID@schemeID": "NotRequired[str]",
    },
)

InvoiceDataInvoicePayeeParty = TypedDict(
    "InvoiceDataInvoicePayeeParty",
    {
        "cac:PartyIdentification": "NotRequired[InvoiceIdentifier]",
        "cac:PartyName": "NotRequired[InvoicePartyName]",
        "cac:PartyLegalEntity": "NotRequired[InvoiceDataInvoicePayeePartyPartyLegalEntity]",
    },
)

InvoiceDataInvoiceTaxRepresentativeParty = TypedDict(
    "InvoiceDataInvoiceTaxRepresentativeParty",
    {
        "cac:PartyName": "NotRequired[InvoicePartyName]",
        "cac:PostalAddress": "NotRequired[InvoiceAddress]",
        "cac:PartyTaxScheme": "NotRequired[InvoiceTaxRegistration]",
    },
)

InvoiceDataInvoiceDeliveryDeliveryLocation = TypedDict(
    "InvoiceDataInvoiceDeliveryDeliveryLocation",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:ID@schemeID": "NotRequired[str]",
        "cac:Address": "NotRequired[InvoiceAddress]",
    },
)

InvoiceDataInvoiceDeliveryDeliveryParty = TypedDict(
    "InvoiceDataInvoiceDeliveryDeliveryParty",
    {
        "cac:PartyName": "NotRequired[InvoicePartyName]",
    },
)

InvoiceDataInvoiceDelivery = TypedDict(
    "InvoiceDataInvoiceDelivery",
    {
        "cbc:ActualDeliveryDate": "NotRequired[str]",
        "cac:DeliveryLocation": "NotRequired[InvoiceDataInvoiceDeliveryDeliveryLocation]",
        "cac:DeliveryParty": "NotRequired[InvoiceDataInvoiceDeliveryDeliveryParty]",
    },
)

InvoiceDataInvoicePaymentMeansItemCardAccount = TypedDict(
    "InvoiceDataInvoicePaymentMeansItemCardAccount",
    {
        "cbc:PrimaryAccountNumberID": "NotRequired[str]",
        "cbc:NetworkID": "NotRequired[str]",
        "cbc:HolderName": "NotRequired[str]",
    },
)

InvoiceDataInvoicePaymentMeansItemPayeeFinancialAccountFinancialInstitutionBranch = TypedDict(
    "InvoiceDataInvoicePaymentMeansItemPayeeFinancialAccountFinancialInstitutionBranch",
    {
        "cbc:ID": "NotRequired[str]",
    },
)

InvoiceDataInvoicePaymentMeansItemPayeeFinancialAccount = TypedDict(
    "InvoiceDataInvoicePaymentMeansItemPayeeFinancialAccount",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:Name": "NotRequired[str]",
        "cac:FinancialInstitutionBranch": "NotRequired[InvoiceDataInvoicePaymentMeansItemPayeeFinancialAccountFinancialInstitutionBranch]",
    },
)

InvoiceDataInvoicePaymentMeansItemPaymentMandatePayerFinancialAccount = TypedDict(
    "InvoiceDataInvoicePaymentMeansItemPaymentMandatePayerFinancialAccount",
    {
        "cbc:ID": "NotRequired[str]",
    },
)

InvoiceDataInvoicePaymentMeansItemPaymentMandate = TypedDict(
    "InvoiceDataInvoicePaymentMeansItemPaymentMandate",
    {
        "cbc:ID": "NotRequired[str]",
        "cac:PayerFinancialAccount": "NotRequired[InvoiceDataInvoicePaymentMeansItemPaymentMandatePayerFinancialAccount]",
    },
)

InvoiceDataInvoicePaymentMeansItem = TypedDict(
    "InvoiceDataInvoicePaymentMeansItem",
    {
        "cbc:PaymentMeansCode": "NotRequired[str]",
        "cbc:PaymentMeansCode@name": "NotRequired[str]",
        "cbc:PaymentID": "NotRequired[str]",
        "cac:CardAccount": "NotRequired[InvoiceDataInvoicePaymentMeansItemCardAccount]",
        "cac:PayeeFinancialAccount": "NotRequired[InvoiceDataInvoicePaymentMeansItemPayeeFinancialAccount]",
        "cac:PaymentMandate": "NotRequired[InvoiceDataInvoicePaymentMeansItemPaymentMandate]",
    },
)

InvoiceDataInvoicePaymentTerms = TypedDict(
    "InvoiceDataInvoicePaymentTerms",
    {
        "cbc:Note": "NotRequired[str]",
    },
)

InvoiceTaxCategory = TypedDict(
    "InvoiceTaxCategory",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:Percent": "NotRequired[str]",
        "cbc:TaxExemptionReasonCode": "NotRequired[str]",
        "cbc:TaxExemptionReason": "NotRequired[str]",
        "cac:TaxScheme": "NotRequired[InvoiceTaxScheme]",
    },
)

InvoiceDataInvoiceAllowanceChargeItem = TypedDict(
    "InvoiceDataInvoiceAllowanceChargeItem",
    {
        "cbc:ChargeIndicator": "NotRequired[str]",
        "cbc:AllowanceChargeReasonCode": "NotRequired[str]",
        "cbc:AllowanceChargeReason": "NotRequired[str]",
        "cbc:MultiplierFactorNumeric": "NotRequired[str]",
        "cbc:Amount": "NotRequired[str]",
        "cbc:Amount@currencyID": "NotRequired[str]",
        "cbc:BaseAmount": "NotRequired[str]",
        "cbc:BaseAmount@currencyID": "NotRequired[str]",
        "cac:TaxCategory": "NotRequired[InvoiceTaxCategory]",
    },
)

InvoiceDataInvoiceTaxTotalItemTaxSubtotalItem = TypedDict(
    "InvoiceDataInvoiceTaxTotalItemTaxSubtotalItem",
    {
        "cbc:TaxableAmount": "NotRequired[str]",
        "cbc:TaxableAmount@currencyID": "NotRequired[str]",
        "cbc:TaxAmount": "NotRequired[str]",
        "cbc:TaxAmount@currencyID": "NotRequired[str]",
        "cac:TaxCategory": "NotRequired[InvoiceTaxCategory]",
    },
)

InvoiceDataInvoiceTaxTotalItem = TypedDict(
    "InvoiceDataInvoiceTaxTotalItem",
    {
        "cbc:TaxAmount": "NotRequired[str]",
        "cbc:TaxAmount@currencyID": "NotRequired[str]",
        "cac:TaxSubtotal": "NotRequired[list[InvoiceDataInvoiceTaxTotalItemTaxSubtotalItem]]",
    },
)

InvoiceDataInvoiceLegalMonetaryTotal = TypedDict(
    "InvoiceDataInvoiceLegalMonetaryTotal",
    {
        "cbc:LineExtensionAmount": "NotRequired[str]",
        "cbc:LineExtensionAmount@currencyID": "NotRequired[str]",
        "cbc:TaxExclusiveAmount": "NotRequired[str]",
        "cbc:TaxExclusiveAmount@currencyID": "NotRequired[str]",
        "cbc:TaxInclusiveAmount": "NotRequired[str]",
        "cbc:TaxInclusiveAmount@currencyID": "NotRequired[str]",
        "cbc:AllowanceTotalAmount": "NotRequired[str]",
        "cbc:AllowanceTotalAmount@currencyID": "NotRequired[str]",
        "cbc:ChargeTotalAmount": "NotRequired[str]",
        "cbc:ChargeTotalAmount@currencyID": "NotRequired[str]",
        "cbc:PrepaidAmount": "NotRequired[str]",
        "cbc:PrepaidAmount@currencyID": "NotRequired[str]",
        "cbc:PayableRoundingAmount": "NotRequired[str]",
        "cbc:PayableRoundingAmount@currencyID": "NotRequired[str]",
        "cbc:PayableAmount": "NotRequired[str]",
        "cbc:PayableAmount@currencyID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemInvoicePeriod = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemInvoicePeriod",
    {
        "cbc:StartDate": "NotRequired[str]",
        "cbc:EndDate": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemOrderLineReference = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemOrderLineReference",
    {
        "cbc:LineID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemDocumentReference = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemDocumentReference",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:ID@schemeID": "NotRequired[str]",
        "cbc:DocumentTypeCode": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemAllowanceChargeItem = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemAllowanceChargeItem",
    {
        "cbc:ChargeIndicator": "NotRequired[str]",
        "cbc:AllowanceChargeReasonCode": "NotRequired[str]",
        "cbc:AllowanceChargeReason": "NotRequired[str]",
        "cbc:MultiplierFactorNumeric": "NotRequired[str]",
        "cbc:Amount": "NotRequired[str]",
        "cbc:Amount@currencyID": "NotRequired[str]",
        "cbc:BaseAmount": "NotRequired[str]",
        "cbc:BaseAmount@currencyID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemItemOriginCountry = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemItemOriginCountry",
    {
        "cbc:IdentificationCode": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemItemCommodityClassificationItem = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemItemCommodityClassificationItem",
    {
        "cbc:ItemClassificationCode": "NotRequired[str]",
        "cbc:ItemClassificationCode@listID": "NotRequired[str]",
        "cbc:ItemClassificationCode@listVersionID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemItemAdditionalItemPropertyItem = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemItemAdditionalItemPropertyItem",
    {
        "cbc:Name": "NotRequired[str]",
        "cbc:Value": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemItem = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemItem",
    {
        "cbc:Description": "NotRequired[str]",
        "cbc:Name": "NotRequired[str]",
        "cac:BuyersItemIdentification": "NotRequired[InvoiceReference]",
        "cac:SellersItemIdentification": "NotRequired[InvoiceReference]",
        "cac:StandardItemIdentification": "NotRequired[InvoiceIdentifier]",
        "cac:OriginCountry": "NotRequired[InvoiceDataInvoiceInvoiceLineItemItemOriginCountry]",
        "cac:CommodityClassification": "NotRequired[list[InvoiceDataInvoiceInvoiceLineItemItemCommodityClassificationItem]]",
        "cac:ClassifiedTaxCategory": "NotRequired[InvoiceTaxCategory]",
        "cac:AdditionalItemProperty": "NotRequired[list[InvoiceDataInvoiceInvoiceLineItemItemAdditionalItemPropertyItem]]",
    },
)

InvoiceDataInvoiceInvoiceLineItemPriceAllowanceCharge = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemPriceAllowanceCharge",
    {
        "cbc:ChargeIndicator": "NotRequired[str]",
        "cbc:Amount": "NotRequired[str]",
        "cbc:Amount@currencyID": "NotRequired[str]",
        "cbc:BaseAmount": "NotRequired[str]",
        "cbc:BaseAmount@currencyID": "NotRequired[str]",
    },
)

InvoiceDataInvoiceInvoiceLineItemPrice = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItemPrice",
    {
        "cbc:PriceAmount": "NotRequired[str]",
        "cbc:PriceAmount@currencyID": "NotRequired[str]",
        "cbc:BaseQuantity": "NotRequired[str]",
        "cbc:BaseQuantity@unitCode": "NotRequired[str]",
        "cac:AllowanceCharge": "NotRequired[InvoiceDataInvoiceInvoiceLineItemPriceAllowanceCharge]",
    },
)

InvoiceDataInvoiceInvoiceLineItem = TypedDict(
    "InvoiceDataInvoiceInvoiceLineItem",
    {
        "cbc:ID": "NotRequired[str]",
        "cbc:Note": "NotRequired[str]",
        "cbc:InvoicedQuantity": "NotRequired[str]",
        "cbc:InvoicedQuantity@unitCode": "NotRequired[str]",
        "cbc:LineExtensionAmount": "NotRequired[str]",
        "cbc:LineExtensionAmount@currencyID": "NotRequired[str]",
        "cbc:AccountingCost": "NotRequired[str]",
        "cac:InvoicePeriod": "NotRequired[InvoiceDataInvoiceInvoiceLineItemInvoicePeriod]",
        "cac:OrderLineReference": "NotRequired[InvoiceDataInvoiceInvoiceLineItemOrderLineReference]",
        "cac:DocumentReference": "NotRequired[InvoiceDataInvoiceInvoiceLineItemDocumentReference]",
        "cac:AllowanceCharge": "NotRequired[list[InvoiceDataInvoiceInvoiceLineItemAllowanceChargeItem]]",
        "cac:Item": "NotRequired[InvoiceDataInvoiceInvoiceLineItemItem]",
        "cac:Price": "NotRequired[InvoiceDataInvoiceInvoiceLineItemPrice]",
    },
)

InvoiceDataInvoice = TypedDict(
    "InvoiceDataInvoice",
    {
        "cbc:CustomizationID": "NotRequired[str]",
        "cbc:ProfileID": "NotRequired[str]",
        "cbc:ID": "NotRequired[str]",
        "cbc:IssueDate": "NotRequired[str]",
        "cbc:DueDate": "NotRequired[str]",
        "cbc:InvoiceTypeCode": "NotRequired[str]",
        "cbc:Note": "NotRequired[list[str]]",
        "cbc:TaxPointDate": "NotRequired[str]",
        "cbc:DocumentCurrencyCode": "NotRequired[str]",
        "cbc:TaxCurrencyCode": "NotRequired[str]",
        "cbc:AccountingCost": "NotRequired[str]",
        "cbc:BuyerReference": "NotRequired[str]",
        "cac:InvoicePeriod": "NotRequired[InvoiceDataInvoiceInvoicePeriod]",
        "cac:OrderReference": "NotRequired[InvoiceDataInvoiceOrderReference]",
        "cac:BillingReference": "NotRequired[list[InvoiceDataInvoiceBillingReferenceItem]]",
        "cac:DespatchDocumentReference": "NotRequired[InvoiceReference]",
        "cac:ReceiptDocumentReference": "NotRequired[InvoiceReference]",
        "cac:OriginatorDocumentReference": "NotRequired[InvoiceReference]",
        "cac:ContractDocumentReference": "NotRequired[InvoiceReference]",
        "cac:AdditionalDocumentReference": "NotRequired[list[InvoiceDataInvoiceAdditionalDocumentReferenceItem]]",
        "cac:ProjectReference": "NotRequired[InvoiceReference]",
        "cac:AccountingSupplierParty": "NotRequired[InvoiceDataInvoiceAccountingSupplierParty]",
        "cac:AccountingCustomerParty": "NotRequired[InvoiceDataInvoiceAccountingCustomerParty]",
        "cac:PayeeParty": "NotRequired[InvoiceDataInvoicePayeeParty]",
        "cac:TaxRepresentativeParty": "NotRequired[InvoiceDataInvoiceTaxRepresentativeParty]",
        "cac:Delivery": "NotRequired[InvoiceDataInvoiceDelivery]",
        "cac:PaymentMeans": "NotRequired[list[InvoiceDataInvoicePaymentMeansItem]]",
        "cac:PaymentTerms": "NotRequired[InvoiceDataInvoicePaymentTerms]",
        "cac:AllowanceCharge": "NotRequired[list[InvoiceDataInvoiceAllowanceChargeItem]]",
        "cac:TaxTotal": "NotRequired[list[InvoiceDataInvoiceTaxTotalItem]]",
        "cac:LegalMonetaryTotal": "NotRequired[InvoiceDataInvoiceLegalMonetaryTotal]",
        "cac:InvoiceLine": "NotRequired[list[InvoiceDataInvoiceInvoiceLineItem]]",
    },
)


class SignatureOptions(TypedDict):
    """Signs the PDF with a stored certificate, after all other options. The fields are those of `POST /v1/pdf/sign`."""
    level: NotRequired[SignatureLevel]
    visible: NotRequired[bool]
    """Whether a stamp shows the signature. The default is true."""
    certify: NotRequired[AllowedChanges | None]
    field: NotRequired[str]
    """The name of the signature field. An empty signature field of this name is signed, at its own place. If the PDF has no empty signature field, one is added under this name; if it has others, the response is 400. By default, a field is added."""
    name: NotRequired[str]
    """The name of the signer. With `certificate`, the default is the name in the certificate."""
    reason: NotRequired[str]
    """The reason for signing, in the stamp and in the signature."""
    location: NotRequired[str]
    """The place of signing, in the stamp and in the signature."""
    contact: NotRequired[str]
    """How to reach the signer, in the stamp and in the signature."""
    x: NotRequired[float]
    """The left edge, from the left of the page as displayed, in points. The default is 50."""
    y: NotRequired[float]
    """The lower edge, from the bottom of the page as displayed, in points. The default is 50."""
    width: NotRequired[float]
    """The width, in points. The default is 200."""
    height: NotRequired[float]
    """The height, in points. The default is 60."""
    certificate: str
    """The id of a stored certificate: `cert_…`. The signature is then cryptographic (PAdES)."""
    page: NotRequired[int]
    """The page index, from 0. The default is the first page."""


class GenerateResponse(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    status: GenerationStatus
    file_size: int | None
    """Bytes."""
    generation_time_ms: int | None
    pages: int | None
    """Null for an image and for a filled office file."""
    url: str | None
    data: str | None
    """The PDF in base64."""
    warnings: list[Warning]
    """Signs that the document is not as its author meant it, such as data that the template needs and the request lacks; usually empty."""


class Warning(Record):
    code: Literal["MISSING_VARIABLE", "SCHEMA_MISMATCH", "ASSET_FAILED", "MISSING_GLYPHS", "FONT_REPLACED", "LANGUAGE_REPLACED", "OVERFLOW", "BILL_SIZE", "PAGE_SIZE_IGNORED", "TEMPLATE_TAGS"]
    """docs/receipts.md explains each."""
    message: str
    path: str | None
    """The variable, or the URL of the asset; null otherwise."""


class ErrorResponse(Record):
    error: ApiError


class ApiError(Record):
    code: str
    """A stable code in capitals."""
    message: str
    """A sentence for people. It may change."""
    details: list[ErrorDetail]
    """The invalid fields, or the fault in a document; empty for most codes."""
    request_id: str
    """Also the header `X-Request-Id`, and in the log of the service."""
    doc_url: str
    """The explanation of the code in the documentation."""


class ErrorDetail(Record):
    path: str
    """The field, such as `options.margin` or `pdfs[1]`; empty when no field is at fault. In a pipeline, `steps.2.opacity` is a field of the third step."""
    line: int | None
    """The line of the file that has the fault."""
    code: str | None
    """The kind of fault in a document, such as `TEMPLATE_ERROR`. docs/errors.md lists the codes and what to do about each."""
    message: str
    """A sentence about the field. It may change."""


class GenerationList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[GenerationSummary]


class GenerationSummary(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    status: GenerationStatus
    file_size: int | None
    """Bytes."""
    generation_time_ms: int | None
    pages: int | None
    """Null for an image and for a filled office file."""
    template_id: str | None
    input_type: InputType
    content_type: ContentType
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    batch_id: str | None
    """Only for an item of a batch."""
    index: int | None
    """The index of the item in its batch, from 0."""
    url: str | None


class Generation(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    status: GenerationStatus
    file_size: int | None
    """Bytes."""
    generation_time_ms: int | None
    pages: int | None
    """Null for an image and for a filled office file."""
    template_id: str | None
    input_type: InputType
    content_type: ContentType
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    batch_id: str | None
    """Only for an item of a batch."""
    index: int | None
    """The index of the item in its batch, from 0."""
    receipt: Receipt | None
    url: str | None
    data: str | None
    """The PDF in base64 instead of `url`, when `output` was base64."""
    error: str | None
    """`CODE: message`; null unless the generation failed."""
    warnings: list[Warning]
    """Signs that the document is not as its author meant it, such as data that the template needs and the request lacks; usually empty."""


class Receipt(Record):
    """Present with `?receipt=true`; null when there is no receipt or it has expired."""
    class_: str | None
    """`plain`: printed without scripts and network; `active`: printed with both."""
    phases: dict[str, float]
    """The milliseconds of each phase that took place: `queue`, `template`, `start` (opening a browser page), `react`, `header`, `load`, `wait` (`options.waitFor`), `print`, `assemble` (separate headers, the order of pages, the steps of a pipeline), `archive` (PDF/A), `tag` (PDF/UA), `store`."""
    resources: ReceiptResources
    console: ReceiptConsole
    exceptions: ReceiptExceptions
    missing_glyphs: ReceiptMissingGlyphs | None
    """null when no PDF was checked."""
    schema_mismatches: ReceiptSchemaMismatches
    missing_variables: ReceiptMissingVariables
    overflow: ReceiptOverflow | None
    """null when the content is not wider than the page, and for images."""
    proof: Proof | None
    accessibility: ReceiptAccessibility | None
    """Absent without `options.accessible`."""


class ReceiptResourcesEntry(Record):
    url: str
    """Without user, query and fragment; empty for a font of which only the name is known."""
    type: str
    """`Image`, `Stylesheet`, `Font`, `Script`, `Fetch` …"""
    outcome: str
    """`loaded`, `failed`, `refused` (by the egress guard), `broken` (not a valid image, style sheet, script or font), `pending`."""
    reason: str | None
    """Why the resource was not loaded, such as `the server responded with 404 (text/html)`."""
    status: int | None
    """HTTP status of the server."""
    mime_type: str | None
    """Media type of the response, such as `image/png`."""
    bytes: int | None
    ms: int | None


class ReceiptResources(Record):
    entries: list[ReceiptResourcesEntry]
    omitted: int
    """The number of further entries."""


class ReceiptConsoleEntry(Record):
    level: str
    """`warning` or `error`."""
    text: str


class ReceiptConsole(Record):
    entries: list[ReceiptConsoleEntry]
    omitted: int
    """The number of further entries."""


class ReceiptExceptionsEntry(Record):
    message: str
    line: int | None
    column: int | None


class ReceiptExceptions(Record):
    entries: list[ReceiptExceptionsEntry]
    omitted: int
    """The number of further entries."""


class ReceiptMissingGlyphs(Record):
    count: int
    """The number of boxes in the PDF that replace characters."""
    characters: list[str]
    """The characters that no font covers."""


class ReceiptSchemaMismatchesEntry(Record):
    path: str
    """The variable."""
    expected: str
    """Its type in the template's schema."""
    found: str
    """The type of the value in the data; `missing` when there is no value."""


class ReceiptSchemaMismatches(Record):
    entries: list[ReceiptSchemaMismatchesEntry]
    omitted: int
    """The number of further entries."""


class ReceiptMissingVariablesEntry(Record):
    path: str
    """The variable in the data, such as `items[2].price`."""
    count: int
    """The number of items of a list that lack it; 1 outside of lists."""


class ReceiptMissingVariables(Record):
    entries: list[ReceiptMissingVariablesEntry]
    omitted: int
    """The number of further entries."""


class ReceiptOverflow(Record):
    scale: float
    """The factor by which the document was shrunk to the width of the page."""
    clipped: bool
    """Whether the content may still be wider than the page."""


class Proof(Record):
    """The confirmed claims of a PDF, such as PDF/A, and the hash of its bytes."""
    sha256: str
    """The SHA-256 hash of the stored file, in hexadecimal."""
    claims: list[ProofClaim]
    """The claims that a check of these bytes confirmed."""
    steps: list[ProofStep]
    """The steps that made the file, in order, such as "print" and "pdfa"."""


class ProofClaim(Record):
    standard: str
    """Such as "PDF/A"."""
    level: str
    """The level of the standard, such as "2b"."""
    checked_by: str
    """The name and version of the checker."""
    rules: list[str]
    """The rules that were checked, by their numbers in the standard."""
    passed_at: str
    """ISO 8601, UTC, milliseconds."""


class ProofStep(Record):
    do: str


class ReceiptAccessibilityFindingsEntry(Record):
    path: str
    """The CSS path of the element, or a clause of ISO 14289-1."""
    code: str
    """`TITLE_MISSING`, `LANGUAGE_MISSING`, `ALT_MISSING`, `HEADING_ORDER`, `LINK_EMPTY`, `LABEL_MISSING`, `DRAWN_AS_PICTURE`, `LOW_CONTRAST`, or `NOT_ACCESSIBLE` for a clause."""
    severity: str
    """`error` or `warning`."""
    message: str


class ReceiptAccessibilityFindings(Record):
    entries: list[ReceiptAccessibilityFindingsEntry]
    omitted: int
    """The number of further entries."""


class ReceiptAccessibility(Record):
    claim: str | None
    """`pdfua-1` when a check has confirmed that the PDF conforms to PDF/UA-1."""
    findings: ReceiptAccessibilityFindings


class ImageRequest(TypedDict):
    url: NotRequired[str]
    """An http or https URL, whose page is loaded with its scripts and printed."""
    cookies: NotRequired[list[Cookie]]
    """Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them."""
    headers: NotRequired[RequestHeaders]
    basic_auth: NotRequired[BasicAuth]
    user_agent: NotRequired[str]
    """Only with `url`: the `User-Agent` of all requests, including those to other origins."""
    html: NotRequired[str]
    """The HTML of the document. With `data` it is a Handlebars template."""
    template: NotRequired[str]
    """The id of a stored template, `tmpl_…`, or its alias."""
    template_version: NotRequired[VersionChoice]
    """The version of `template` to use, or `draft`; the current one when absent."""
    react: NotRequired[str]
    """JSX or TSX whose default export is a component. `data` becomes its props."""
    markdown: NotRequired[str]
    """GitHub-flavoured Markdown, printed with a default style sheet. Raw HTML in it is treated like `html`. With `data` it is a Handlebars template."""
    data: NotRequired[TemplateData]
    locale: NotRequired[str]
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    styles: NotRequired[str]
    """CSS that is added at the end of the document's head."""
    translations: NotRequired[dict[str, Any]]
    """Messages by language and name in the ICU format, `{"de": {"total": "Summe"}}`, for `{{t "total"}}`; at most 131072 bytes. `{}` removes them."""
    default_locale: NotRequired[str]
    """The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent."""
    options: NotRequired[ImageOptions | None]
    """null means no options."""
    file_name: NotRequired[str]
    """The name of the file for downloads. The extension of the format is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    webhook: NotRequired[str]
    """An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`. A signed message (Standard Webhooks) is sent to it by POST, and retried a limited number of times until the receiver responds with 2xx."""
    async_: NotRequired[bool]
    """true: the response is 202 with a generation that is `queued`. Read the result with `GET /v1/generations/:id`, or receive it at the `webhook`."""


class ImageOptions(TypedDict):
    format: NotRequired[ImageOrLabelFormat]
    dpi: NotRequired[int]
    """Only for zpl: the dots per inch of the printer: 203, 300 or 600. 203 when absent."""
    width: NotRequired[int]
    """The width of the window in CSS pixels; 1280 when absent."""
    height: NotRequired[int]
    """The height of the window in CSS pixels; 720 when absent. The image has this height unless it shows something other than the window."""
    fullPage: NotRequired[bool]
    """true: the image shows the whole document, and at least the window. false: it shows the window. true when absent, unless `height`, `clip` or `selector` is given."""
    scale: NotRequired[float]
    """The number of pixels per CSS pixel; 1 when absent. An image has at most 50 megapixels and 16383 pixels per side."""
    quality: NotRequired[int]
    """Only for jpeg and webp, whose size it determines; 80 when absent."""
    transparent: NotRequired[bool]
    """true: the image is transparent where the document has no background. Only for png and webp."""
    clip: NotRequired[ImageOptionsClip]
    """The rectangle of the document that the image shows, in CSS pixels from its upper left corner."""
    selector: NotRequired[str]
    """A CSS selector. The image shows the first element that it matches."""
    media: NotRequired[Literal["screen", "print"]]
    """The media type whose styles apply; screen when absent, and print for zpl."""
    waitFor: NotRequired[WaitFor]
    strict: NotRequired[bool]
    """Fail the generation when an image, style sheet, font or other asset does not load, or a script throws. The default is false."""
    onAssetError: NotRequired[AssetErrorPolicy]
    ignoreAssetHosts: NotRequired[list[str]]
    """Hosts (`cdn.example.com`, any port) or hosts and ports (`cdn.example.com:8080`) whose assets may fail."""


class ImageOptionsClip(TypedDict):
    x: int
    y: int
    width: int
    height: int


class ImageResponse(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    status: GenerationStatus
    file_size: int | None
    """Bytes."""
    generation_time_ms: int | None
    content_type: ContentType
    url: str | None
    data: str | None
    """The image in base64."""
    warnings: list[Warning]
    """Signs that the document is not as its author meant it, such as data that the template needs and the request lacks; usually empty."""


class PreviewRequest(TypedDict):
    translations: NotRequired[dict[str, Any]]
    """Messages by language and name in the ICU format, `{"de": {"total": "Summe"}}`, for `{{t "total"}}`; at most 131072 bytes. `{}` removes them."""
    default_locale: NotRequired[str]
    """The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent."""
    url: NotRequired[str]
    """An http or https URL, whose page is loaded with its scripts and printed."""
    cookies: NotRequired[list[Cookie]]
    """Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them."""
    headers: NotRequired[RequestHeaders]
    basic_auth: NotRequired[BasicAuth]
    user_agent: NotRequired[str]
    """Only with `url`: the `User-Agent` of all requests, including those to other origins."""
    html_content: NotRequired[str]
    """HTML with Handlebars syntax."""
    template: NotRequired[str]
    """The id of a stored template, `tmpl_…`, or its alias."""
    template_version: NotRequired[VersionChoice]
    """The version of `template` to use, or `draft`; the current one when absent."""
    react: NotRequired[str]
    """JSX or TSX whose default export is a component. `data` becomes its props."""
    markdown: NotRequired[str]
    """GitHub-flavoured Markdown, printed with a default style sheet. Raw HTML in it is treated like `html`. With `data` it is a Handlebars template."""
    data: NotRequired[TemplateData]
    locale: NotRequired[str]
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    styles: NotRequired[str]
    """CSS that is added at the end of the document's head."""
    options: NotRequired[RenderOptions | None]
    """null means no options."""
    output: Literal["base64"]
    """The file is returned in base64."""
    page: NotRequired[int]
    """The page that `output` png shows, from 1; the first by default."""
    receipt: NotRequired[bool]
    """Responds with JSON that also has the receipt: loaded resources, script errors, and characters without a glyph. `data` is then the PDF or image in base64."""


class PreviewResponse(Document):
    data: str
    """The PDF in base64; the image for output png."""
    pages: int
    file_size: int
    """Bytes."""
    warnings: list[Warning]
    """Signs that the document is not as its author meant it, such as data that the template needs and the request lacks; usually empty."""
    receipt: Receipt | None
    """Only with `receipt: true`; null when the service keeps no receipts."""


class BatchRequest(TypedDict):
    items: list[BatchItem]
    """Each item has one source: `html`, `template`, `react`, `markdown` or `url`. Of `html`, `react` and `template`, the first is used."""
    webhook: NotRequired[str]
    """An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`. A signed message (Standard Webhooks) is sent to it by POST, and retried a limited number of times until the receiver responds with 2xx."""


class BatchItem(TypedDict):
    url: NotRequired[str]
    """An http or https URL, whose page is loaded with its scripts and printed."""
    cookies: NotRequired[list[Cookie]]
    """Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them."""
    headers: NotRequired[RequestHeaders]
    basic_auth: NotRequired[BasicAuth]
    user_agent: NotRequired[str]
    """Only with `url`: the `User-Agent` of all requests, including those to other origins."""
    html: NotRequired[str]
    """The HTML of the document. With `data` it is a Handlebars template."""
    template: NotRequired[str]
    """The id of a stored template, `tmpl_…`, or its alias."""
    template_version: NotRequired[VersionChoice]
    """The version of `template` to use, or `draft`; the current one when absent."""
    react: NotRequired[str]
    """JSX or TSX whose default export is a component. `data` becomes its props."""
    markdown: NotRequired[str]
    """GitHub-flavoured Markdown, printed with a default style sheet. Raw HTML in it is treated like `html`. With `data` it is a Handlebars template."""
    data: NotRequired[TemplateData]
    locale: NotRequired[str]
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    styles: NotRequired[str]
    """CSS that is added at the end of the document's head."""
    options: NotRequired[RenderOptions | None]
    """null means no options."""
    translations: NotRequired[dict[str, Any]]
    """Messages by language and name in the ICU format, `{"de": {"total": "Summe"}}`, for `{{t "total"}}`; at most 131072 bytes. `{}` removes them."""
    default_locale: NotRequired[str]
    """The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent."""
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""


class AcceptedBatch(Record):
    batch_id: str
    total: int
    generations: list[AcceptedBatchGeneration]
    status: Literal["queued"]


class AcceptedBatchGeneration(Record):
    id: str
    index: int


class BatchList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[BatchSummary]


class BatchSummary(Record):
    skipped: int | None
    """The number of invalid lines that were left out; bulk batches only."""
    result: BulkResult | None
    result_url: str | None
    """A link to the archive or PDF, once the batch has ended."""
    result_error: str | None
    """Why there is no archive or PDF: `CODE: message`."""
    documents_per_second: float | None
    """Ended items per second since the batch was accepted."""
    expected_end: str | None
    """ISO 8601, UTC, milliseconds."""
    batch_id: str
    status: BatchStatus
    total: int
    completed: int
    failed: int
    canceled: int
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was submitted with a test key."""


class BulkForm(Record):
    template: str | None
    """The id of a stored template, or its alias. Required."""
    options: str | None
    """The options of `POST /v1/generate`, as JSON."""
    locale: str | None
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    result: str | None
    """`links` (default), `zip` or `pdf`."""
    file_name: str | None
    """The name of each file, such as `Invoice {{number}}`: a template with the data of the item. A second file of the same name gets ` (2)`."""
    on_invalid: str | None
    """`reject` (default): an invalid line is a 400. `skip`: it is left out."""
    webhook: str | None
    """A URL that receives `batch.completed`."""
    file: str
    """The items: NDJSON, or CSV with a file name that ends in `.csv`."""


class AcceptedBulkBatch(Record):
    batch_id: str
    total: int
    skipped: int
    """The number of invalid lines that were left out."""
    invalid_lines: list[InvalidLine]
    """The first 100 of them."""
    status: Literal["queued"]


class InvalidLine(Record):
    line: int
    message: str


class Batch(Record):
    skipped: int | None
    """The number of invalid lines that were left out; bulk batches only."""
    result: BulkResult | None
    result_url: str | None
    """A link to the archive or PDF, once the batch has ended."""
    result_error: str | None
    """Why there is no archive or PDF: `CODE: message`."""
    documents_per_second: float | None
    """Ended items per second since the batch was accepted."""
    expected_end: str | None
    """ISO 8601, UTC, milliseconds."""
    batch_id: str
    status: BatchStatus
    total: int
    completed: int
    failed: int
    canceled: int
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was submitted with a test key."""
    generations: list[BatchGeneration]
    """Empty for a bulk batch, whose items are at `GET /v1/batches/{id}/items`."""


class BatchGeneration(Record):
    id: str
    index: int
    status: str
    """queued, processing, completed, failed, canceled, or deleted."""
    error: str | None
    """`CODE: message`; null unless the item failed."""


class BatchItemList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[BatchListItem]


class BatchListItem(Record):
    id: str
    """The id of the generation."""
    index: int
    """The place in the file, from 0."""
    status: str
    """queued, processing, completed, failed, canceled, or deleted."""
    error: str | None
    """`CODE: message`; null unless the item failed."""
    url: str | None
    """A link that needs no API key."""
    file_name: str | None
    warnings: int
    """The number of warnings about the document, which `GET /v1/generations/{id}` lists."""


class CreateTemplateRequest(TypedDict):
    translations: NotRequired[dict[str, Any]]
    """Messages by language and name in the ICU format, `{"de": {"total": "Summe"}}`, for `{{t "total"}}`; at most 131072 bytes. `{}` removes them."""
    default_locale: NotRequired[str]
    """The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent."""
    schema: NotRequired[dict[str, VariableType]]
    """The type of each variable by its name (`customer.name` is a path); at most 500. A type with `!` requires the variable, one with `?` makes it optional."""
    category: NotRequired[TemplateCategory]
    partial: NotRequired[bool]
    """Whether the account's templates can call it as `{{> name}}`; false when absent."""
    alias: NotRequired[str | None]
    """A name that stands for the id in every request of the account, such as `invoice`. It is unique among the account's templates; null removes it."""
    tags: NotRequired[list[str]]
    """Words by which lists are filtered; at most 20, each only once."""
    require_checks: NotRequired[bool]
    """Whether a new version becomes current only if its cases pass (docs/template-tests.md). Otherwise it is stored as a draft, which becomes current when its cases are accepted. false when absent."""
    options: NotRequired[RenderOptions | None]
    """The options of `POST /v1/generate` that the template is designed for, at most 65536 bytes. They do not apply by themselves: send them with each request that uses the template."""
    sample_data: NotRequired[dict[str, Any]]
    """Sample values to send as `data`. At most 65536 bytes."""
    name: str
    """The name that lists show."""
    html_content: NotRequired[str | None]
    """HTML with Handlebars syntax."""
    file: NotRequired[FileData]
    """In place of `html_content`: a docx, xlsx or pptx file with tags, at most 10000000 bytes; in JSON as base64. All versions of a template have the same format."""
    format: NotRequired[TemplateFormat]
    """The format that the content must have; that of the content when absent."""


class CreatedTemplate(Record):
    id: str
    name: str
    html_content: str | None
    """Null for a template that is a file."""
    format: TemplateFormat | None
    """Present for a template that is a file."""
    schema: dict[str, str]
    version: int
    """The current version, or the one that was asked for. Starts at 1 and increases with each change of `html_content` or `file`."""
    is_public: bool
    partial: bool | None
    """Present for a partial."""
    alias: str | None
    """Present for a template with an alias."""
    tags: list[str] | None
    """Present for a template with tags."""
    require_checks: bool | None
    """Present for a template that requires checks."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""


class TemplateList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[TemplateSummary]


class TemplateSummary(Record):
    id: str
    name: str
    category: str
    format: TemplateFormat
    schema: dict[str, str]
    version: int
    """The current version, or the one that was asked for. Starts at 1 and increases with each change of `html_content` or `file`."""
    current_version: int
    """The version that documents are made from."""
    draft_version: int | None
    """The version that is a draft."""
    is_public: bool
    partial: bool
    """Whether the account's templates can call it as `{{> name}}`; false when absent."""
    alias: str | None
    """The name that stands for the id."""
    tags: list[str]
    require_checks: bool
    """Whether a new version becomes current only if its cases pass (docs/template-tests.md). Otherwise it is stored as a draft, which becomes current when its cases are accepted. false when absent."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""


class Template(Document):
    name: str
    category: str
    format: TemplateFormat
    schema: dict[str, str]
    version: int
    """The current version, or the one that was asked for. Starts at 1 and increases with each change of `html_content` or `file`."""
    current_version: int
    """The version that documents are made from."""
    draft_version: int | None
    """The version that is a draft."""
    is_public: bool
    partial: bool
    """Whether the account's templates can call it as `{{> name}}`; false when absent."""
    alias: str | None
    """The name that stands for the id."""
    tags: list[str]
    require_checks: bool
    """Whether a new version becomes current only if its cases pass (docs/template-tests.md). Otherwise it is stored as a draft, which becomes current when its cases are accepted. false when absent."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""
    options: RenderOptions | None
    """The options of `POST /v1/generate` that the template is designed for, at most 65536 bytes. They do not apply by themselves: send them with each request that uses the template."""
    sample_data: dict[str, Any]
    """Sample values to send as `data`."""
    translations: dict[str, Any] | None
    default_locale: str | None
    html_content: str | None
    """Null for a template that is a file."""
    etag: str
    """Changes whenever a field that its author sets changes; send it as `expected_etag`."""
    file_url: str | None
    """A link to the file that needs no API key, valid for 30 days."""
    file_size: int | None
    """Bytes of the file."""
    check: VersionCheck | None


class VersionCheck(Record):
    """The check of a change of a template that requires checks. A version with differences is stored as a draft: the response is the draft."""
    passed: bool
    stored_as: Literal["version", "draft"]
    cases: list[VersionCheckCase]


class VersionCheckCase(Record):
    name: str
    status: str


class UpdateTemplateRequest(TypedDict):
    translations: NotRequired[dict[str, Any]]
    """Messages by language and name in the ICU format, `{"de": {"total": "Summe"}}`, for `{{t "total"}}`; at most 131072 bytes. `{}` removes them."""
    default_locale: NotRequired[str]
    """The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent."""
    schema: NotRequired[dict[str, VariableType]]
    """The type of each variable by its name (`customer.name` is a path); at most 500. A type with `!` requires the variable, one with `?` makes it optional."""
    category: NotRequired[TemplateCategory]
    partial: NotRequired[bool]
    """Whether the account's templates can call it as `{{> name}}`; false when absent."""
    alias: NotRequired[str | None]
    """A name that stands for the id in every request of the account, such as `invoice`. It is unique among the account's templates; null removes it."""
    tags: NotRequired[list[str]]
    """Words by which lists are filtered; at most 20, each only once."""
    require_checks: NotRequired[bool]
    """Whether a new version becomes current only if its cases pass (docs/template-tests.md). Otherwise it is stored as a draft, which becomes current when its cases are accepted. false when absent."""
    options: NotRequired[RenderOptions | None]
    """The options of `POST /v1/generate` that the template is designed for, at most 65536 bytes. They do not apply by themselves: send them with each request that uses the template."""
    sample_data: NotRequired[dict[str, Any]]
    """Sample values to send as `data`. At most 65536 bytes."""
    name: NotRequired[str]
    """The name that lists show."""
    html_content: NotRequired[str | None]
    """HTML with Handlebars syntax."""
    file: NotRequired[FileData]
    """In place of `html_content`: a docx, xlsx or pptx file with tags, at most 10000000 bytes; in JSON as base64. All versions of a template have the same format."""
    format: NotRequired[TemplateFormat]
    """The format that the content must have; that of the content when absent."""
    draft: NotRequired[bool]
    """Stores `html_content` or `file`, `schema`, `options`, `sample_data` and `translations` as a draft, which replaces an earlier draft. The current version does not change. false when absent."""
    expected_etag: NotRequired[str]
    """The `etag` of the template as you read it; with `draft: true` that of its draft, if it has one. If the template has changed since, the status is 409 and nothing changes."""


class DeletedTemplate(Record):
    id: str
    deleted: Literal[True]


class TemplateVersionList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[TemplateVersion]


class TemplateVersion(Record):
    version: int
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    current: bool
    draft: bool


class TemplateCaseRequest(TypedDict):
    data: NotRequired[dict[str, Any]]
    """Sample values to send as `data`. At most 65536 bytes."""
    options: NotRequired[RenderOptions | None]
    """Options of `POST /v1/generate` that apply after those of the template, at most 65536 bytes of JSON."""
    accepted: NotRequired[str]
    """A PDF whose pages become the accepted ones: base64, or the id of a file or generation. Without it, the accepted pages stay as they are."""


class TemplateCase(Record):
    name: str
    template_id: str
    data: dict[str, Any]
    """Sample values to send as `data`."""
    options: RenderOptions | None
    """The options of `POST /v1/generate` that the template is designed for, at most 65536 bytes. They do not apply by themselves: send them with each request that uses the template."""
    accepted: AcceptedPages | None
    browser_change: BrowserChange | None
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""
    promoted: bool | None
    """Only in the response to an acceptance: whether it made the draft of the template the current version, because all cases pass."""


class AcceptedPages(Document):
    pages: int
    file_size: int
    """Bytes of the PDF."""
    url: str | None
    """A link to the PDF that needs no API key, valid for 30 days; null for a test key."""
    version: int | None
    """The version of the template that made the pages; null if the PDF was sent."""
    chromium: str | None
    """The version of Chromium that printed the pages; null if it is unknown."""
    accepted_at: str
    """ISO 8601, UTC, milliseconds."""


class BrowserChange(Record):
    """Whether the version of Chromium to which the service changed prints the accepted pages. null before the check, and once the case changes or other pages are accepted."""
    from_: str
    """The version of Chromium with which the service printed before."""
    to: str
    status: BrowserChangeStatus
    checked_at: str
    """ISO 8601, UTC, milliseconds."""


class TemplateCaseList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[TemplateCase]


class BrowserChangeList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[ChangedCase]


class ChangedCase(Record):
    id: str
    """The id of the template, a colon and the name of the case."""
    template_id: str
    name: str
    browser_change: BrowserChange | None


class CheckTemplateRequest(TypedDict):
    html_content: NotRequired[str]
    """HTML that is checked in place of that of the template, whose options still apply."""
    version: NotRequired[VersionChoice]
    """The version to check, or `draft`; by default the draft if there is one, or else the current version."""
    cases: NotRequired[list[str]]
    """The names of the cases to check; all by default."""


class TemplateCheck(Record):
    passed: bool
    """Whether all checked cases are equal to their accepted pages."""
    version: int | None
    """The checked version; null for `html_content`."""
    cases: list[CheckedCase]


class CheckedCase(Record):
    name: str
    status: CaseStatus
    error: CaseError | None
    pages: list[CheckedPage]
    layout: list[LayoutFinding]
    """The facts of the layout that differ from the accepted pages, in sentences."""


class CaseError(Record):
    """Why the document cannot be made; only of a failed case."""
    code: str
    message: str


class CheckedPage(Record):
    page: int
    """The number of the page, from 1."""
    equal: bool
    changed_fraction: float
    """The share of the pixels that differ visibly, from 0 to 1."""
    image_url: str | None
    """A PNG of the page; null for a page that the document no longer has, and beyond 200 images. It needs no API key, and is valid for a day."""
    diff_url: str | None
    """A PNG that marks the changes; null for equal and new pages, and beyond 200 images. It needs no API key, and is valid for a day."""


class LayoutFinding(Record):
    page: int | None
    """null for a fact of the whole document."""
    finding: str


class AcceptCaseRequest(TypedDict):
    version: NotRequired[VersionChoice]
    """The version whose pages are accepted, or `draft`; by default the draft if there is one, or else the current version."""


class UploadAssetRequest(TypedDict):
    name: NotRequired[str]
    """The name by which documents refer to the asset, such as `logo.png`; required in JSON, and by default the file name of the part `file`. An asset of the same name is replaced."""
    data: NotRequired[FileData]
    """The content in base64, at most 5000000 bytes decoded."""
    file: NotRequired[str]
    """In a multipart request: the content, at most 5000000 bytes."""
    family: NotRequired[str]
    """The name of a font's family; by default the font's own."""
    weight: NotRequired[str]
    """The weight of a font, or the range of a variable font; by default the font's own."""
    style: NotRequired[FontStyle]


class Asset(Document):
    name: str
    type: str
    """The media type, such as `image/png`."""
    file_size: int
    """Bytes."""
    font: AssetFont | None
    """How CSS selects the font; null for other assets."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""
    url: str
    """A link to the content that needs no API key, valid for 30 days."""


class AssetFont(Record):
    family: str
    weight: str
    style: str


class AssetList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[Asset]


class StarterTemplateList(Record):
    data: list[StarterTemplateSummary]
    has_more: bool
    """Always false: the list has no pages."""


class StarterTemplateSummary(Record):
    slug: str
    name: str
    description: str
    category: str
    format: TemplateFormat | None
    sample_data: dict[str, Any]
    """Sample values to send as `data`."""


class StarterTemplate(Record):
    slug: str
    name: str
    description: str
    category: str
    format: TemplateFormat | None
    sample_data: dict[str, Any]
    """Sample values to send as `data`."""
    translations: dict[str, Any] | None
    default_locale: str | None
    html_content: str | None
    """Null for a starter that is a file."""
    file: str | None
    """The file in base64, for a starter that is one."""
    schema: dict[str, str]
    options: dict[str, Any] | None
    """The options of `POST /v1/generate` that the starter is designed for."""
    cases: list[StarterTemplateCase]
    """Data to try the starter with: `typical` is the sample, `hard` tests the layout."""


class StarterTemplateCase(Record):
    name: str
    data: dict[str, Any]
    """Values to send as `data`."""


class ClonedTemplate(Record):
    id: str
    name: str
    version: int
    """Starts at 1 and increases with each change of `html_content`."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    cases: list[str]
    """The cases of the starter that were stored with the template. A case that could not be stored is absent."""


class PublicTemplateList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[PublicTemplateSummary]


class PublicTemplateSummary(Record):
    id: str
    name: str
    version: int
    """Starts at 1 and increases with each change of `html_content`."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    format: TemplateFormat | None
    updated_at: str
    """ISO 8601, UTC, milliseconds."""


class PublicTemplate(Record):
    id: str
    name: str
    version: int
    """Starts at 1 and increases with each change of `html_content`."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    format: TemplateFormat | None
    updated_at: str
    """ISO 8601, UTC, milliseconds."""
    options: RenderOptions | None
    """The options of `POST /v1/generate` that the template is designed for, at most 65536 bytes. They do not apply by themselves: send them with each request that uses the template."""
    sample_data: dict[str, Any]
    """Sample values to send as `data`."""
    html_content: str | None
    """Null for a template that is a file."""
    file_url: str | None
    """A link to the file that needs no API key, valid for 30 days."""
    schema: dict[str, str]


class ClonedPublicTemplate(Record):
    id: str
    name: str
    version: int
    """Starts at 1 and increases with each change of `html_content`."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    assets: list[str] | None
    """The assets of the template, by their names in the account. Absent if the template has no assets."""


class TemplateVisibility(Record):
    id: str
    name: str
    is_public: bool
    assets: list[str] | None
    """The assets that were published with the template. Absent if the template has no assets."""
    warnings: list[TemplateVisibilityWarning] | None
    """References that clones cannot resolve. Absent if clones can resolve all of them."""


class TemplateVisibilityWarning(Record):
    code: Literal["ASSET_DYNAMIC", "ASSET_MISSING"]
    """`ASSET_DYNAMIC`: the name contains a variable, so the asset is unknown and was not published. `ASSET_MISSING`: the account has no asset of this name."""
    message: str
    path: str
    """The reference in the template."""


class AccessibleRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    title: NotRequired[str]
    """The title, which PDF/UA requires. The default is the title of the PDF."""
    language: NotRequired[str]
    """The language (BCP 47), which PDF/UA requires. The default is the language of the PDF."""
    report: NotRequired[bool]
    """true: return a document with faults too, without the claim of PDF/UA-1, and list the faults. The default is false, so that a fault is a 400."""


class AccessibleResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    pdfua: bool
    """Whether the PDF claims PDF/UA-1, and a check has confirmed it."""
    findings: list[AccessibleResultFinding]
    """With `report`, the violated clauses of ISO 14289-1; empty if `pdfua` is true."""


class AccessibleResultFinding(Record):
    clause: str
    message: str


class AttachmentsRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    add: NotRequired[list[NewAttachment]]
    """Attachments to add: up to 100, with 25,000,000 bytes in total."""
    remove: NotRequired[list[str]]
    """The names of the attachments to remove."""
    extract: NotRequired[list[str]]
    """The names of the attachments to return with their content."""


class NewAttachment(TypedDict):
    name: str
    """The name of the file, which no other attachment of the PDF has. Slashes, control characters, and names of only dots and spaces are not allowed."""
    data: FileData
    """The content in base64."""
    mime_type: NotRequired[str]
    """The media type, such as "text/csv"; application/octet-stream when absent."""
    description: NotRequired[str]
    """The description that readers show."""
    relationship: NotRequired[AttachmentRelationship]


class AttachmentsResult(Document):
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int | None
    """Bytes."""
    file_id: str | None
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    file_name: str | None
    reference: str | None
    metadata: Metadata | None
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool | None
    """Whether it was made with a test key."""
    attachments: list[AttachmentsResultAttachment] | None


class AttachmentsResultAttachment(Record):
    name: str
    """The name in the PDF, which `extract` and `remove` take. It may contain any characters."""
    file_name: str
    """A safe and unique name for storing the file, without folders, control characters or a leading dot."""
    size: int | None
    """The size in bytes; null if the PDF does not state it."""
    mime_type: str | None
    """The media type, such as "text/csv"; null if the PDF does not state it."""
    description: str | None
    """The description; null if absent."""
    relationship: AttachmentRelationship | None
    modified_at: str | None
    """ISO 8601 in UTC; null if absent or malformed."""
    data: str | None
    """The content in base64; present with `extract`."""


class CompareRequest(TypedDict):
    dpi: NotRequired[int]
    """Pixels per inch. The default is 72. A page may have at most 12,000,000 pixels, the area that two aligned pages cover together 48,000,000, and all pages of both PDFs 1,500,000,000."""
    tolerance: NotRequired[float]
    """The largest difference between two colours that count as equal, from 0 (none) to 1 (between black and white). The default is 0.01."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdfs: list[FileData]
    """The two PDFs to compare."""


class CompareResult(Record):
    equal: bool
    """All pages are equal."""
    pages: list[CompareResultPage]


class CompareResultPage(Record):
    page: int
    """The number of the page, from 1."""
    equal: bool
    """No pixel of the page differs by more than the tolerance."""
    changed_fraction: float
    """The fraction of the pixels that differ, from 0 to 1."""
    only_in: int | None
    """The index of the PDF that has the page, from 0; absent if both have it."""
    image_url: str | None
    """A link to a PNG that marks the differences in red, for the first 100 pages that differ. It is valid for 30 days."""


class CompressRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    image_dpi: NotRequired[int]
    """Images with a higher resolution, as displayed, are downsampled to it, in pixels per inch. The default is 150."""
    image_quality: NotRequired[int]
    """The quality of JPEG images. The default is 75."""
    allow_signature_loss: NotRequired[bool]
    """Compress signed documents too. The appearance of a signature becomes a Stamp annotation. The default is false."""


class CompressResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    original_size: int
    """The size of the PDF in the request, in bytes."""
    saved_bytes: int
    """How much smaller the result is; 0 if the PDF could not be made smaller and is unchanged."""


class FlattenRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""


class PdfResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""


class ImagesRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    pages: NotRequired[str]
    """The pages to draw, in this order, such as `"1-3, 5, 10-8"`; `9-` is page 9 to the end. The default is all pages."""
    type: NotRequired[ImageFormat]
    dpi: NotRequired[int]
    """Pixels per inch. The default is 100. An image may have at most 24,000,000 pixels, and all images together 1,500,000,000."""


class InfoRequest(TypedDict):
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""


class PdfInfo(Document):
    pages: int
    title: str
    author: str
    subject: str
    creator: str
    producer: str
    creation_date: str | None
    """ISO 8601 in UTC; null if absent or malformed."""
    modification_date: str | None
    file_size: int
    """The size in bytes."""
    encrypted: bool
    """The file is encrypted but opens without a password."""
    pdf_version: str
    page_sizes: list[PdfInfoPageSize]
    """The distinct page sizes in points, as displayed after cropping and rotation."""
    has_form: bool
    has_signatures: bool
    tagged: bool
    pdfa: str | None
    """The PDF/A level that the metadata claims, such as "1B". It is not verified."""


class PdfInfoPageSize(Record):
    width: float
    height: float
    count: int


class InvoiceRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: NotRequired[FileData]
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`. Absent for plain XML."""
    profile: InvoiceProfile
    data: NotRequired[InvoiceData]
    xml: NotRequired[FileData]
    """A finished invoice in CII, in place of `data`, to be embedded in the PDF as it is. A base64 string or a file part."""
    check: NotRequired[bool]
    """With `xml`: whether it must obey the rules of the profile. `false` embeds any file, so the PDF may not conform to the profile that its metadata names. The default is true."""
    document_type: NotRequired[Literal["INVOICE", "ORDER", "ORDER_RESPONSE", "ORDER_CHANGE"]]
    """With `xml`: the type of the document in the XMP metadata; INVOICE when absent."""
    version: NotRequired[str]
    """With `xml`: the version of the standard in the XMP metadata. The default is "1.0", or "3.0" for XRechnung."""
    document: NotRequired[InvoiceDocument]


class InvoiceResult(Document):
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int | None
    """Bytes."""
    file_id: str | None
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    file_name: str | None
    reference: str | None
    metadata: Metadata | None
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool | None
    """Whether it was made with a test key."""
    profile: InvoiceProfile
    document: InvoiceDocument | None
    xml: str | None
    """Present with document cii or ubl."""


class ReadInvoiceRequest(TypedDict):
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""


class ReadInvoiceResult(Record):
    found: bool
    """Whether the PDF has an embedded invoice."""
    profile: InvoiceProfile | None
    """The profile that the invoice names; null if it is unknown."""
    file_name: str | None
    """The name of the embedded file."""
    xml: str | None
    """The embedded file; null if the PDF has no invoice."""
    data: dict[str, Any] | None
    """The invoice in the shape of `data` of `POST /v1/pdf/invoice`."""
    valid: bool | None
    """Whether the invoice obeys all rules; null if the PDF has no invoice, or if its profile is unknown or that of ZUGFeRD 1.0."""
    message: str | None
    """Why `valid` is null for an invoice."""
    findings: list[ReadInvoiceResultFinding]
    """The violated rules, at most 100. The rules of EN 16931 are applied to an invoice whose profile is unknown."""


class ReadInvoiceResultFinding(Record):
    rule: str
    """The identifier of the rule, such as "BR-CO-10", or "FORMAT" for a value that cannot be read."""
    message: str
    path: str
    """The path in `data`."""


class MergeRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdfs: list[FileData]
    """The PDFs to merge, in order."""


class NumberRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    format: NotRequired[str]
    """The text on each page, with the placeholders `{{pageNumber}}`, `{{totalPages}}` and `{{bates}}`. The default is `{{bates}}` if `bates` is present, and `{{pageNumber}} / {{totalPages}}` otherwise."""
    start: NotRequired[int]
    """The number of the first numbered page. Each further numbered page has the next number. By default, each page has its number in the document."""
    pages: NotRequired[str]
    """The pages to number, such as "1-3, 5, 9-". The default is all pages."""
    position: NotRequired[MarkPosition]
    """A place on the page, or the lower left corner of the text in points from the lower left corner of the page as displayed. The default is `bottom`."""
    font_size: NotRequired[float]
    """The size of the text in points. The default is 10."""
    color: NotRequired[str]
    """The colour of the text, such as "#cc0000"; black when absent."""
    bates: NotRequired[BatesNumber]


class BatesNumber(TypedDict):
    """The Bates number, which `{{bates}}` shows."""
    prefix: NotRequired[str]
    """Text before the number, such as "ACME-"."""
    digits: NotRequired[int]
    """The minimum number of digits. The default is 6."""
    start: NotRequired[int]
    """The number of the first numbered page. The default is 1."""


class OutlineRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    set: NotRequired[list[Any]]
    """The new outline: up to 50,000 items, nested up to 20 levels deep. An empty list removes the outline. Without `set`, the response contains the outline."""


class OutlineResult(Document):
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int | None
    """Bytes."""
    file_id: str | None
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    file_name: str | None
    reference: str | None
    metadata: Metadata | None
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool | None
    """Whether it was made with a test key."""
    outline: list[OutlineResultOutlineItem] | None


class OutlineResultOutlineItem(Record):
    title: str
    """1 to 1,000 characters."""
    page: int | None
    """The number of the page, from 1; null if the item leads to no page."""
    children: list[dict[str, Any]] | None
    """Items of the same shape."""


class PagesRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    pages: NotRequired[str]
    """The pages of the result in order, such as "1-3, 7, 5r90, 10-8". `9-` is page 9 to the end, and `10-8` is a reversed range. `r90`, `r180` or `r270` after a page or a range rotates it clockwise by as many degrees. Pages may be repeated. At most 50,000 pages. Exactly one of `pages` and `delete` is required."""
    delete: NotRequired[str]
    """The pages to remove, such as "1-3, 5, 9-". Exactly one of `pages` and `delete` is required."""


class PdfaRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    level: NotRequired[PdfaLevel]
    title: NotRequired[str]
    """The title in Info and XMP. The default is the value in the PDF. Control characters become spaces."""
    author: NotRequired[str]
    """The author in Info and XMP. The default is the value in the PDF. Control characters become spaces."""
    subject: NotRequired[str]
    """The subject in Info and XMP. The default is the value in the PDF. Control characters become spaces."""
    keywords: NotRequired[list[str]]
    language: NotRequired[str]
    """The language of the document (BCP 47), such as "en-GB"."""
    allow_signature_loss: NotRequired[bool]
    """Convert signed documents too. Their signatures become images. The default is false."""


class PdfaResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    pdfa: Literal[True]
    """The result has been validated as PDF/A of this level."""
    level: PdfaLevel
    invoice: Literal["kept", "removed"] | None
    """Present if the PDF had an embedded invoice (Factur-X, ZUGFeRD, XRechnung). The levels 3b and 3u keep the invoice and its entry in the metadata; other levels remove both."""


class PropertiesRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    set: NotRequired[PropertyChanges]


class PropertyChanges(TypedDict):
    """The properties to write. `null` or an empty value removes a property, and absent properties are kept. Without `set`, the response contains the properties."""
    title: NotRequired[str | None]
    """The title of the document."""
    author: NotRequired[str | None]
    """The author of the document."""
    subject: NotRequired[str | None]
    """The subject of the document."""
    keywords: NotRequired[list[str] | None]
    language: NotRequired[str | None]
    """The language of the document (BCP 47), such as "en-GB"."""
    creator: NotRequired[str | None]
    """The title of the document."""
    producer: NotRequired[str | None]
    """The title of the document."""
    creation_date: NotRequired[str | None]
    """A time of RFC 3339. The PDF keeps its time zone."""
    modification_date: NotRequired[str]
    """The default is the time of the request."""
    trapped: NotRequired[Literal["True", "False", "Unknown"] | None]
    """Whether the document has trapping information for printing."""
    custom: NotRequired[Any]
    """Custom entries of the information dictionary, such as `{ "Department": "Sales" }`. `null` removes an entry."""


class PropertiesResult(Document):
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int | None
    """Bytes."""
    file_id: str | None
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    file_name: str | None
    reference: str | None
    metadata: Metadata | None
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool | None
    """Whether it was made with a test key."""
    properties: PropertiesResultProperties | None


class PropertiesResultProperties(Record):
    title: str
    author: str
    subject: str
    keywords: list[str]
    language: str
    creator: str
    """The program that made the original document."""
    producer: str
    """The program that made the PDF."""
    creation_date: str | None
    """ISO 8601 in UTC; null if absent or malformed."""
    modification_date: str | None
    """ISO 8601 in UTC; null if absent or malformed."""
    info: dict[str, str]
    """All entries of the information dictionary as stored, also custom ones. Dates have the syntax of PDF."""


class ProtectRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    owner_password: str
    """Opens the PDF without restrictions. At most 127 bytes of UTF-8."""
    user_password: NotRequired[str]
    """Opens the PDF with the permissions. Without it, the PDF opens without a password. At most 127 bytes of UTF-8."""
    permissions: NotRequired[PdfPermissions]


class ProtectResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    protected: Literal[True]
    """The PDF is encrypted."""


class SignRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    name: NotRequired[str]
    """The name of the signer. With `certificate`, the default is the name in the certificate."""
    reason: NotRequired[str]
    """The reason for signing, in the stamp and in the signature."""
    location: NotRequired[str]
    """The place of signing, in the stamp and in the signature."""
    contact: NotRequired[str]
    """How to reach the signer, in the stamp and in the signature."""
    x: NotRequired[float]
    """The left edge, from the left of the page as displayed, in points. The default is 50."""
    y: NotRequired[float]
    """The lower edge, from the bottom of the page as displayed, in points. The default is 50."""
    width: NotRequired[float]
    """The width, in points. The default is 200."""
    height: NotRequired[float]
    """The height, in points. The default is 60."""
    level: NotRequired[SignatureLevel]
    visible: NotRequired[bool]
    """Whether a stamp shows the signature. The default is true."""
    certify: NotRequired[AllowedChanges | None]
    field: NotRequired[str]
    """The name of the signature field. An empty signature field of this name is signed, at its own place. If the PDF has no empty signature field, one is added under this name; if it has others, the response is 400. By default, a field is added."""
    page: NotRequired[int]
    """The page index, from 0. The default is the first page."""
    certificate: NotRequired[str]
    """The id of a stored certificate: `cert_…`. The signature is then cryptographic (PAdES)."""


class SignResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    signed: Literal[True]
    """A signature was added. It is cryptographic if the request has a `certificate`."""
    signature_annotation_added: bool
    """Whether a visible signature was added."""
    level: SignatureLevel | None
    """The PAdES level; present with `certificate`."""
    field: str | None
    """The name of the signature field; present with `certificate`."""


class SplitRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    ranges: NotRequired[list[list[int]]]
    """One part for each range, in order. Ranges may overlap. By default, every page becomes a part; then the PDF may have at most 5,000 pages."""


class SplitResult(Record):
    parts: list[PdfResult]
    total: int


class TextRequest(TypedDict):
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    pages: NotRequired[str]
    """The pages to read, in this order, such as `"1-3, 5, 10-8"`; `9-` is page 9 to the end. The default is all pages."""
    format: NotRequired[TextFormat]


class TextResult(Record):
    pages: list[TextResultPage]
    total: int
    """The number of pages in the response."""


class TextResultPageWord(Record):
    text: str
    x: float
    """The distance of the left edge from that of the page as displayed, in points."""
    y: float
    """The distance of the lower edge from that of the page as displayed, in points."""
    width: float
    """The width of the word, in points."""
    height: float
    """The height of the word, in points."""


class TextResultPage(Record):
    page: int
    """The number of the page, from 1."""
    text: str
    words: list[TextResultPageWord] | None
    """Present with format json."""


class TimestampRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""


class TimestampResult(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int
    """Bytes."""
    file_id: str
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    timestamp: str
    """The time that the authority confirmed."""


class UnlockRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    password: str
    """The user password or the owner password. An empty string removes the restrictions of a PDF that opens without a password."""


class ValidateRequest(TypedDict):
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    profile: NotRequired[str]
    """The profile to check. By default, the profiles that the file claims."""


class ValidateResult(Record):
    claims: list[str]
    """The profiles that the file claims: in its XMP metadata, such as "pdfa-3b", and by its signatures, "pades" or "signature"."""
    results: list[ValidateResultResult]
    """One result for each checked profile."""


class ValidateResultResultFinding(Record):
    clause: str
    """The clause of the standard, such as "6.3.4"."""
    message: str
    """The violation."""
    page: int | None
    """The page, from 1, if the finding has one."""


class ValidateResultResult(Record):
    profile: str
    """A claimed profile, or the profile of the request."""
    valid: bool | None
    """Whether the file conforms; null if the profile, or a part of it, cannot be checked."""
    findings: list[ValidateResultResultFinding]
    """Violations, up to 50."""
    message: str | None
    """Why the profile, or a part of it, cannot be checked. Present if `valid` is null."""


class VerifyRequest(TypedDict):
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    trust: NotRequired[str]
    """Certificates in PEM to trust as roots, in addition to the roots of the operator."""


class VerifyResult(Record):
    signed: bool
    """Whether the PDF has a signature or a document timestamp."""
    valid: bool
    """Whether all signatures are intact and trusted, and all later changes are allowed."""
    signatures: list[VerifyResultSignature]
    """The signatures, in the order in which they were made."""


class VerifyResultSignatureTimestamp(Record):
    time: str
    authority: str | None
    """The common name of the time stamping authority."""
    trusted: bool


class VerifyResultSignatureCertificate(Record):
    subject: str
    serial_number: str
    """In hexadecimal."""
    not_before: str
    not_after: str


class VerifyResultSignature(Record):
    field: str
    """The full name of the signature field."""
    kind: Literal["signature", "document_timestamp"]
    signer: str | None
    """The common name of the signer or of the time stamping authority."""
    level: Literal["b-b", "b-t", "b-lt", "b-lta"] | None
    """The PAdES baseline level; null for other signatures and document timestamps."""
    intact: bool
    """Whether the signed bytes are unchanged."""
    trusted: bool
    """Whether the certificate leads to a trusted root, and was neither expired nor revoked."""
    covers_whole_file: bool
    signed_at: str | None
    """The time that the signer claims, or that a document timestamp confirms."""
    timestamp: VerifyResultSignatureTimestamp | None
    """The timestamp of the signature."""
    changes_after: Literal["none", "allowed", "not_allowed"]
    """Whether the file was changed after signing, and whether the signature allows the changes."""
    certificate: VerifyResultSignatureCertificate | None
    """The certificate of the signer."""
    problems: list[str]
    """Why the signature is not valid, as sentences."""


class WatermarkRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    text: NotRequired[str]
    """Text in any script. A line feed starts a new line."""
    pages: NotRequired[str]
    """The pages that get the mark, such as "1-3, 5, 9-". All pages when absent."""
    position: NotRequired[MarkPosition]
    offset: NotRequired[MarkOffset]
    margin: NotRequired[float]
    """The distance from the edges of the page in points; 24 when absent."""
    opacity: NotRequired[float]
    """From 0, invisible, to 1, opaque."""
    rotation: NotRequired[MarkRotation]
    scale: NotRequired[float]
    """Multiplies the size; 1 when absent."""
    color: NotRequired[str]
    """The colour of the text, such as "#cc0000"; black when absent."""
    tile: NotRequired[bool]
    """true: repeat the mark over the whole page."""
    layer: NotRequired[MarkLayer]
    image: NotRequired[FileData]
    """A PNG, JPEG, WebP or GIF image in base64, up to 5,000,000 bytes."""
    overlay: NotRequired[str]
    """A PDF, or the id of a stored PDF. Its pages are drawn on the marked pages in order, and the last one is repeated."""
    relative_size: NotRequired[float]
    """The size as a fraction of the page, before the mark is turned: of the width for a mark that is wider than high, otherwise of the height."""
    font_size: NotRequired[float]
    """The size of the text in points. By default, a watermark fills the page, up to 144 points, and a stamp has 24 points."""


class PipelineRequest(TypedDict):
    file_type: NotRequired[str]
    """The ending of the type, such as `csv`, if neither the content nor the name of the file tells it."""
    password: NotRequired[str]
    """Opens an encrypted document."""
    pages: NotRequired[str]
    """Only these pages, such as `1-3,5,8-`."""
    landscape: NotRequired[bool]
    """Turns all pages of a text or spreadsheet to landscape (true) or portrait (false)."""
    single_page_sheets: NotRequired[bool]
    """Prints each sheet of a spreadsheet on one page. The default is false."""
    quality: NotRequired[int]
    """The quality of JPEG images. The default is 90."""
    lossless_images: NotRequired[bool]
    """Stores images without loss instead of as JPEG. The default is false."""
    image_dpi: NotRequired[int | None]
    """Reduces images to this number of pixels per inch; null keeps them. The default is 300."""
    update_indexes: NotRequired[bool]
    """Updates tables of contents before the conversion. The default is false."""
    form_fields: NotRequired[bool]
    """Makes form fields fillable. Otherwise, they are drawn. The default is true."""
    duplicate_field_names: NotRequired[bool]
    """Lets several form fields share a name. The default is false."""
    outline: NotRequired[bool]
    """Makes an outline from headings, sheets or slides. The default is true."""
    named_destinations: NotRequired[bool]
    """Makes bookmarks named destinations. The default is false."""
    convert_links_to_pdf: NotRequired[bool]
    """Links to other documents end in `.pdf` instead of the ending of a document. The default is false."""
    placeholders: NotRequired[bool]
    """Draws placeholder fields of a text. The default is false."""
    comments: NotRequired[bool]
    """Makes comments annotations. The default is false."""
    comments_in_margin: NotRequired[bool]
    """Prints comments of a text in the margin. The default is false."""
    notes_pages: NotRequired[bool]
    """Adds a page with notes for each slide. The default is false."""
    only_notes_pages: NotRequired[bool]
    """Makes pages with notes only. The default is false."""
    hidden_slides: NotRequired[bool]
    """Includes hidden slides. The default is false."""
    skip_empty_pages: NotRequired[bool]
    """Omits blank pages that LibreOffice has inserted. The default is true."""
    embed_original: NotRequired[bool]
    """Embeds the document in the PDF, in an OpenDocument format. The default is false."""
    transitions: NotRequired[bool]
    """Keeps the transitions of slides. The default is true."""
    watermark: NotRequired[OfficeWatermark]
    view: NotRequired[OfficeView]
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: NotRequired[FileData]
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    file: NotRequired[FileData]
    """A document: docx, xlsx, pptx, odt, ods, odp, doc, xls, ppt, rtf, txt, csv, vsdx, svg, png, jpeg and others; in JSON as base64. Or the id of an uploaded file: `file_…`."""
    pdfs: NotRequired[list[FileData]]
    """Several PDFs, for a first step that takes several, such as merge."""
    generate: NotRequired[PipelineGenerate]
    steps: list[PipelineStep]
    """The operations, in order. Each takes the result of the previous one. `do` names the operation; the other fields are the fields of its route."""


class OfficeWatermark(TypedDict):
    text: str
    tiled: NotRequired[bool]
    """Repeats the text over the page. Only the text then has an effect. The default is false."""
    color: NotRequired[str]
    """The default is #80FF80."""
    font_size: NotRequired[int]
    """In points. By default, as large as the page permits."""
    angle: NotRequired[int]
    """In degrees, counter-clockwise."""
    font_name: NotRequired[str]
    """The default is Helvetica."""


class OfficeView(TypedDict):
    """How viewers show the PDF at first."""
    panel: NotRequired[Literal["none", "outline", "thumbnails"]]
    """The panel beside the pages. The default is none."""
    page: NotRequired[int]
    """The page that opens."""
    magnification: NotRequired[Literal["default", "page", "width", "visible", "zoom"]]
    """The default is that of the viewer."""
    zoom: NotRequired[int]
    """In percent; with the magnification `zoom`."""
    layout: NotRequired[Literal["default", "single", "continuous", "two-columns"]]
    """The default is that of the viewer."""
    first_page_on_left: NotRequired[bool]
    """With the layout `two-columns`. The default is false."""
    resize_window: NotRequired[bool]
    center_window: NotRequired[bool]
    full_screen: NotRequired[bool]
    """Opens the PDF on the whole screen. The default is false."""
    show_title: NotRequired[bool]
    """Shows the title instead of the file name. The default is true."""
    hide_menubar: NotRequired[bool]
    hide_toolbar: NotRequired[bool]
    hide_window_controls: NotRequired[bool]
    open_outline_levels: NotRequired[int]
    """The open levels of the outline. By default, all."""


class PipelineGenerate(TypedDict):
    """A document to generate, with the fields of `POST /v1/generate` except `output`, `file_name`, `reference`, `metadata` and `expires_in`."""
    url: NotRequired[str]
    """An http or https URL, whose page is loaded with its scripts and printed."""
    cookies: NotRequired[list[Cookie]]
    """Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them."""
    headers: NotRequired[RequestHeaders]
    basic_auth: NotRequired[BasicAuth]
    user_agent: NotRequired[str]
    """Only with `url`: the `User-Agent` of all requests, including those to other origins."""
    html: NotRequired[str]
    """The HTML of the document. With `data` it is a Handlebars template."""
    template: NotRequired[str]
    """The id of a stored template, `tmpl_…`, or its alias."""
    template_version: NotRequired[VersionChoice]
    """The version of `template` to use, or `draft`; the current one when absent."""
    react: NotRequired[str]
    """JSX or TSX whose default export is a component. `data` becomes its props."""
    markdown: NotRequired[str]
    """GitHub-flavoured Markdown, printed with a default style sheet. Raw HTML in it is treated like `html`. With `data` it is a Handlebars template."""
    data: NotRequired[TemplateData]
    locale: NotRequired[str]
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    styles: NotRequired[str]
    """CSS that is added at the end of the document's head."""
    options: NotRequired[RenderOptions | None]
    """null means no options."""
    webhook: NotRequired[str]
    """An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`. A signed message (Standard Webhooks) is sent to it by POST, and retried a limited number of times until the receiver responds with 2xx."""


class AccessibleStep(TypedDict):
    title: NotRequired[str]
    """The title, which PDF/UA requires. The default is the title of the PDF."""
    language: NotRequired[str]
    """The language (BCP 47), which PDF/UA requires. The default is the language of the PDF."""
    report: NotRequired[bool]
    """true: return a document with faults too, without the claim of PDF/UA-1, and list the faults. The default is false, so that a fault is a 400."""
    do: Literal["accessible"]


class AttachmentsStep(TypedDict):
    add: NotRequired[list[NewAttachment]]
    """Attachments to add: up to 100, with 25,000,000 bytes in total."""
    remove: NotRequired[list[str]]
    """The names of the attachments to remove."""
    extract: NotRequired[list[str]]
    """The names of the attachments to return with their content."""
    do: Literal["attachments"]


class CompareStep(TypedDict):
    do: Literal["compare"]
    dpi: NotRequired[int]
    """Pixels per inch. The default is 72. A page may have at most 12,000,000 pixels, the area that two aligned pages cover together 48,000,000, and all pages of both PDFs 1,500,000,000."""
    tolerance: NotRequired[float]
    """The largest difference between two colours that count as equal, from 0 (none) to 1 (between black and white). The default is 0.01."""
    pdfs: NotRequired[list[FileData]]
    """More PDFs, after the result of the previous step or the PDFs of the request."""


class CompressStep(TypedDict):
    image_dpi: NotRequired[int]
    """Images with a higher resolution, as displayed, are downsampled to it, in pixels per inch. The default is 150."""
    image_quality: NotRequired[int]
    """The quality of JPEG images. The default is 75."""
    allow_signature_loss: NotRequired[bool]
    """Compress signed documents too. The appearance of a signature becomes a Stamp annotation. The default is false."""
    do: Literal["compress"]


class FlattenStep(TypedDict):
    do: Literal["flatten"]


class ImagesStep(TypedDict):
    pages: NotRequired[str]
    """The pages to draw, in this order, such as `"1-3, 5, 10-8"`; `9-` is page 9 to the end. The default is all pages."""
    type: NotRequired[ImageFormat]
    dpi: NotRequired[int]
    """Pixels per inch. The default is 100. An image may have at most 24,000,000 pixels, and all images together 1,500,000,000."""
    do: Literal["images"]


class InfoStep(TypedDict):
    do: Literal["info"]


class InvoiceStep(TypedDict):
    do: Literal["invoice"]
    profile: InvoiceProfile
    data: NotRequired[InvoiceData]
    xml: NotRequired[FileData]
    """A finished invoice in CII, in place of `data`, to be embedded in the PDF as it is. A base64 string or a file part."""
    check: NotRequired[bool]
    """With `xml`: whether it must obey the rules of the profile. `false` embeds any file, so the PDF may not conform to the profile that its metadata names. The default is true."""
    document_type: NotRequired[Literal["INVOICE", "ORDER", "ORDER_RESPONSE", "ORDER_CHANGE"]]
    """With `xml`: the type of the document in the XMP metadata; INVOICE when absent."""
    version: NotRequired[str]
    """With `xml`: the version of the standard in the XMP metadata. The default is "1.0", or "3.0" for XRechnung."""
    document: NotRequired[InvoiceDocument]


class MergeStep(TypedDict):
    do: Literal["merge"]
    pdfs: NotRequired[list[FileData]]
    """More PDFs, after the result of the previous step or the PDFs of the request."""


class NumberStep(TypedDict):
    format: NotRequired[str]
    """The text on each page, with the placeholders `{{pageNumber}}`, `{{totalPages}}` and `{{bates}}`. The default is `{{bates}}` if `bates` is present, and `{{pageNumber}} / {{totalPages}}` otherwise."""
    start: NotRequired[int]
    """The number of the first numbered page. Each further numbered page has the next number. By default, each page has its number in the document."""
    pages: NotRequired[str]
    """The pages to number, such as "1-3, 5, 9-". The default is all pages."""
    position: NotRequired[MarkPosition]
    """A place on the page, or the lower left corner of the text in points from the lower left corner of the page as displayed. The default is `bottom`."""
    font_size: NotRequired[float]
    """The size of the text in points. The default is 10."""
    color: NotRequired[str]
    """The colour of the text, such as "#cc0000"; black when absent."""
    bates: NotRequired[BatesNumber]
    do: Literal["number"]


class OutlineStep(TypedDict):
    do: Literal["outline"]
    set: NotRequired[list[Any]]
    """The new outline: up to 50,000 items, nested up to 20 levels deep. An empty list removes the outline. Without `set`, the response contains the outline."""


class PagesStep(TypedDict):
    pages: NotRequired[str]
    """The pages of the result in order, such as "1-3, 7, 5r90, 10-8". `9-` is page 9 to the end, and `10-8` is a reversed range. `r90`, `r180` or `r270` after a page or a range rotates it clockwise by as many degrees. Pages may be repeated. At most 50,000 pages. Exactly one of `pages` and `delete` is required."""
    delete: NotRequired[str]
    """The pages to remove, such as "1-3, 5, 9-". Exactly one of `pages` and `delete` is required."""
    do: Literal["pages"]


class PdfaStep(TypedDict):
    level: NotRequired[PdfaLevel]
    title: NotRequired[str]
    """The title in Info and XMP. The default is the value in the PDF. Control characters become spaces."""
    author: NotRequired[str]
    """The author in Info and XMP. The default is the value in the PDF. Control characters become spaces."""
    subject: NotRequired[str]
    """The subject in Info and XMP. The default is the value in the PDF. Control characters become spaces."""
    keywords: NotRequired[list[str]]
    language: NotRequired[str]
    """The language of the document (BCP 47), such as "en-GB"."""
    allow_signature_loss: NotRequired[bool]
    """Convert signed documents too. Their signatures become images. The default is false."""
    do: Literal["pdfa"]


class PropertiesStep(TypedDict):
    do: Literal["properties"]
    set: NotRequired[PropertyChanges]


class ProtectStep(TypedDict):
    do: Literal["protect"]
    owner_password: str
    """Opens the PDF without restrictions. At most 127 bytes of UTF-8."""
    user_password: NotRequired[str]
    """Opens the PDF with the permissions. Without it, the PDF opens without a password. At most 127 bytes of UTF-8."""
    permissions: NotRequired[PdfPermissions]


class SignStep(TypedDict):
    name: NotRequired[str]
    """The name of the signer. With `certificate`, the default is the name in the certificate."""
    reason: NotRequired[str]
    """The reason for signing, in the stamp and in the signature."""
    location: NotRequired[str]
    """The place of signing, in the stamp and in the signature."""
    contact: NotRequired[str]
    """How to reach the signer, in the stamp and in the signature."""
    x: NotRequired[float]
    """The left edge, from the left of the page as displayed, in points. The default is 50."""
    y: NotRequired[float]
    """The lower edge, from the bottom of the page as displayed, in points. The default is 50."""
    width: NotRequired[float]
    """The width, in points. The default is 200."""
    height: NotRequired[float]
    """The height, in points. The default is 60."""
    level: NotRequired[SignatureLevel]
    visible: NotRequired[bool]
    """Whether a stamp shows the signature. The default is true."""
    certify: NotRequired[AllowedChanges | None]
    field: NotRequired[str]
    """The name of the signature field. An empty signature field of this name is signed, at its own place. If the PDF has no empty signature field, one is added under this name; if it has others, the response is 400. By default, a field is added."""
    page: NotRequired[int]
    """The page index, from 0. The default is the first page."""
    certificate: NotRequired[str]
    """The id of a stored certificate: `cert_…`. The signature is then cryptographic (PAdES)."""
    do: Literal["sign"]


class SplitStep(TypedDict):
    do: Literal["split"]
    ranges: NotRequired[list[list[int]]]
    """One part for each range, in order. Ranges may overlap. By default, every page becomes a part; then the PDF may have at most 5,000 pages."""


class TextStep(TypedDict):
    do: Literal["text"]
    pages: NotRequired[str]
    """The pages to read, in this order, such as `"1-3, 5, 10-8"`; `9-` is page 9 to the end. The default is all pages."""
    format: NotRequired[TextFormat]


class TimestampStep(TypedDict):
    do: Literal["timestamp"]


class UnlockStep(TypedDict):
    do: Literal["unlock"]
    password: str
    """The user password or the owner password. An empty string removes the restrictions of a PDF that opens without a password."""


class ValidateStep(TypedDict):
    do: Literal["validate"]
    profile: NotRequired[str]
    """The profile to check. By default, the profiles that the file claims."""


class VerifyStep(TypedDict):
    do: Literal["verify"]
    trust: NotRequired[str]
    """Certificates in PEM to trust as roots, in addition to the roots of the operator."""


class WatermarkStep(TypedDict):
    text: NotRequired[str]
    """Text in any script. A line feed starts a new line."""
    pages: NotRequired[str]
    """The pages that get the mark, such as "1-3, 5, 9-". All pages when absent."""
    position: NotRequired[MarkPosition]
    offset: NotRequired[MarkOffset]
    margin: NotRequired[float]
    """The distance from the edges of the page in points; 24 when absent."""
    opacity: NotRequired[float]
    """From 0, invisible, to 1, opaque."""
    rotation: NotRequired[MarkRotation]
    scale: NotRequired[float]
    """Multiplies the size; 1 when absent."""
    color: NotRequired[str]
    """The colour of the text, such as "#cc0000"; black when absent."""
    tile: NotRequired[bool]
    """true: repeat the mark over the whole page."""
    layer: NotRequired[MarkLayer]
    do: Literal["watermark"]
    image: NotRequired[FileData]
    """A PNG, JPEG, WebP or GIF image in base64, up to 5,000,000 bytes."""
    overlay: NotRequired[str]
    """A PDF, or the id of a stored PDF. Its pages are drawn on the marked pages in order, and the last one is repeated."""
    relative_size: NotRequired[float]
    """The size as a fraction of the page, before the mark is turned: of the width for a mark that is wider than high, otherwise of the height."""
    font_size: NotRequired[float]
    """The size of the text in points. By default, a watermark fills the page, up to 144 points, and a stamp has 24 points."""


class StampStep(TypedDict):
    text: NotRequired[str]
    """Text in any script. A line feed starts a new line."""
    pages: NotRequired[str]
    """The pages that get the mark, such as "1-3, 5, 9-". All pages when absent."""
    position: NotRequired[MarkPosition]
    offset: NotRequired[MarkOffset]
    margin: NotRequired[float]
    """The distance from the edges of the page in points; 24 when absent."""
    opacity: NotRequired[float]
    """From 0, invisible, to 1, opaque."""
    rotation: NotRequired[MarkRotation]
    scale: NotRequired[float]
    """Multiplies the size; 1 when absent."""
    color: NotRequired[str]
    """The colour of the text, such as "#cc0000"; black when absent."""
    tile: NotRequired[bool]
    """true: repeat the mark over the whole page."""
    layer: NotRequired[MarkLayer]
    do: Literal["stamp"]
    image: NotRequired[FileData]
    """A PNG, JPEG, WebP or GIF image in base64, up to 5,000,000 bytes."""
    overlay: NotRequired[str]
    """A PDF, or the id of a stored PDF. Its pages are drawn on the marked pages in order, and the last one is repeated."""
    relative_size: NotRequired[float]
    """The size as a fraction of the page, before the mark is turned: of the width for a mark that is wider than high, otherwise of the height."""
    font_size: NotRequired[float]
    """The size of the text in points. By default, a watermark fills the page, up to 144 points, and a stamp has 24 points."""


class PipelineResponse(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata | None
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool | None
    """Whether it was made with a test key."""
    url: str | None
    """A link that needs no API key; present with output url."""
    data: str | None
    """The PDF in base64; present with output base64."""
    file_size: int | None
    file_id: str | None
    """The id of the stored file, for `/v1/files` and for requests that take a PDF."""
    pages: Any
    status: Literal["completed"] | None
    """Present with `generate`."""
    generation_time_ms: int | None
    """Present with `generate`."""
    warnings: list[PipelineResultWarning] | None
    """Present with `generate`, as in its own response."""
    steps: list[PipelineResultStep] | None
    """For each step, its operation and the additional fields of its response, such as `pdfa`."""
    attachments: list[AttachmentsResultAttachment] | None
    equal: bool | None
    """All pages are equal."""
    title: str | None
    author: str | None
    subject: str | None
    creator: str | None
    producer: str | None
    creation_date: str | None
    """ISO 8601 in UTC; null if absent or malformed."""
    modification_date: str | None
    encrypted: bool | None
    """The file is encrypted but opens without a password."""
    pdf_version: str | None
    page_sizes: list[PdfInfoPageSize] | None
    """The distinct page sizes in points, as displayed after cropping and rotation."""
    has_form: bool | None
    has_signatures: bool | None
    tagged: bool | None
    pdfa: str | None
    """The PDF/A level that the metadata claims, such as "1B". It is not verified."""
    outline: list[OutlineResultOutlineItem] | None
    properties: PropertiesResultProperties | None
    parts: list[PdfResult] | None
    total: int | None
    claims: list[str] | None
    """The profiles that the file claims: in its XMP metadata, such as "pdfa-3b", and by its signatures, "pades" or "signature"."""
    results: list[ValidateResultResult] | None
    """One result for each checked profile."""
    signed: bool | None
    """Whether the PDF has a signature or a document timestamp."""
    valid: bool | None
    """Whether all signatures are intact and trusted, and all later changes are allowed."""
    signatures: list[VerifyResultSignature] | None
    """The signatures, in the order in which they were made."""


class PipelineResultWarning(Record):
    code: str
    message: str
    path: str | None


class PipelineResultStep(Record):
    do: str


class UploadCertificateRequest(TypedDict):
    name: NotRequired[str]
    """A name to recognize the certificate by. The default is the name of its subject."""
    pkcs12: NotRequired[FileData]
    """A PKCS#12 file (.p12, .pfx) in base64, at most 1,000,000 bytes decoded."""
    file: NotRequired[str]
    """In a multipart request: the PKCS#12 file."""
    password: NotRequired[str]
    """The password of the file. It is used once and not stored. By default, the file has no password."""


class Certificate(Record):
    id: str
    """The id. A request that signs sends it as `certificate`."""
    name: str
    subject: str
    """The signer, as a distinguished name."""
    issuer: str
    not_before: str
    """ISO 8601, UTC, milliseconds."""
    not_after: str
    """ISO 8601, UTC, milliseconds."""
    key_type: str
    """The algorithm and size of the key, such as `RSA 2048` or `EC P-256`."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""


class CertificateList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[Certificate]


class ConvertRequest(TypedDict):
    file_type: NotRequired[str]
    """The ending of the type, such as `csv`, if neither the content nor the name of the file tells it."""
    password: NotRequired[str]
    """Opens an encrypted document."""
    pages: NotRequired[str]
    """Only these pages, such as `1-3,5,8-`."""
    landscape: NotRequired[bool]
    """Turns all pages of a text or spreadsheet to landscape (true) or portrait (false)."""
    single_page_sheets: NotRequired[bool]
    """Prints each sheet of a spreadsheet on one page. The default is false."""
    quality: NotRequired[int]
    """The quality of JPEG images. The default is 90."""
    lossless_images: NotRequired[bool]
    """Stores images without loss instead of as JPEG. The default is false."""
    image_dpi: NotRequired[int | None]
    """Reduces images to this number of pixels per inch; null keeps them. The default is 300."""
    update_indexes: NotRequired[bool]
    """Updates tables of contents before the conversion. The default is false."""
    form_fields: NotRequired[bool]
    """Makes form fields fillable. Otherwise, they are drawn. The default is true."""
    duplicate_field_names: NotRequired[bool]
    """Lets several form fields share a name. The default is false."""
    outline: NotRequired[bool]
    """Makes an outline from headings, sheets or slides. The default is true."""
    named_destinations: NotRequired[bool]
    """Makes bookmarks named destinations. The default is false."""
    convert_links_to_pdf: NotRequired[bool]
    """Links to other documents end in `.pdf` instead of the ending of a document. The default is false."""
    placeholders: NotRequired[bool]
    """Draws placeholder fields of a text. The default is false."""
    comments: NotRequired[bool]
    """Makes comments annotations. The default is false."""
    comments_in_margin: NotRequired[bool]
    """Prints comments of a text in the margin. The default is false."""
    notes_pages: NotRequired[bool]
    """Adds a page with notes for each slide. The default is false."""
    only_notes_pages: NotRequired[bool]
    """Makes pages with notes only. The default is false."""
    hidden_slides: NotRequired[bool]
    """Includes hidden slides. The default is false."""
    skip_empty_pages: NotRequired[bool]
    """Omits blank pages that LibreOffice has inserted. The default is true."""
    embed_original: NotRequired[bool]
    """Embeds the document in the PDF, in an OpenDocument format. The default is false."""
    transitions: NotRequired[bool]
    """Keeps the transitions of slides. The default is true."""
    watermark: NotRequired[OfficeWatermark]
    view: NotRequired[OfficeView]
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    file: FileData
    """A document: docx, xlsx, pptx, odt, ods, odp, doc, xls, ppt, rtf, txt, csv, vsdx, svg, png, jpeg and others; in JSON as base64. Or the id of an uploaded file: `file_…`."""


class FillRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    fields: list[FieldValue]
    """The fields to fill. Other fields keep their values."""
    flatten: NotRequired[bool]
    """Flatten all fields of the form into page content. The default is false."""


class FieldValue(TypedDict):
    name: str
    """The full name, as returned by `list-fields`."""
    value: Union[str, bool, list[str]]
    """For a text field a string, true or false for a checkbox, or a list of strings for an option list."""


class ListFieldsRequest(TypedDict):
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""


class FormFieldList(Record):
    fields: list[FormField]
    total: int
    xfa: bool
    """Whether the PDF also has an XFA form, which is not read."""


class FormField(Record):
    page: int | None
    """The page index, from 0; null if no page shows the field."""
    rect: FieldArea | None
    """Points from the lower left corner of the page as displayed; null if the field has no area."""
    name: str
    """The full name: partial names joined by dots."""
    type: Literal["text", "checkbox", "dropdown", "radio", "option_list", "button", "signature", "unknown"]
    value: Union[str, bool, list[str]] | None
    """A text ("" if empty), true or false for a checkbox, the selected option or null, or a list for a multi-select option_list. Null for fields without a value."""
    read_only: bool
    required: bool
    options: list[str] | None
    """The options of the field."""
    labels: list[str] | None
    """The displayed labels, if they differ from the options."""
    multiline: bool | None
    max_length: int | None
    """The maximum length of text; null if unlimited."""
    widgets: list[FormFieldWidget] | None
    """All widgets, if the field has several."""


class FieldArea(Record):
    x: float
    y: float
    width: float
    height: float


class FormFieldWidget(Record):
    page: int | None
    """The page index, from 0; null if no page shows the field."""
    rect: FieldArea | None
    """Points from the lower left corner of the page as displayed; null if the field has no area."""


class AddFieldsRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    pdf: FileData
    """A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`."""
    fields: list[FieldDefinition]
    """The form fields to add."""


class FieldDefinition(TypedDict):
    name: str
    """The full name, which must be unique. Dots separate the levels of the field tree: `address.street`."""
    type: Literal["text", "checkbox", "dropdown", "radio", "signature"]
    """A definition of type radio is one button. The buttons of a field have the same name and different options. A signature is an empty field that can be signed."""
    page: int
    """The page index, from 0."""
    x: float
    """The left edge, in points from the left of the page as displayed."""
    y: float
    """The lower edge, in points from the bottom of the page as displayed."""
    width: NotRequired[float]
    """The width in points. The default is 200 for text, dropdown and signature, and 14 for checkbox and radio."""
    height: NotRequired[float]
    """The height in points. The default is 20 for text and dropdown, 60 for multiline text and signature, and 14 for checkbox and radio."""
    options: NotRequired[list[str]]
    """The options of a dropdown. Required for dropdowns."""
    option: NotRequired[str]
    """The option of a radio button. Required for radio buttons."""
    defaultValue: NotRequired[Union[str, bool]]
    """The initial value, and the value after a reset: a text, one of the options, or true for a checked checkbox. For a radio button: true, or the selected option."""
    multiline: NotRequired[bool]
    """Allow several lines of text."""
    required: NotRequired[bool]
    """The form must not be submitted without a value."""
    font_size: NotRequired[float]
    """The font size of text and dropdowns in points. By default it is chosen to fit."""
    tooltip: NotRequired[str]
    """The description of the field that viewers and screen readers present."""


class GenerateTemplateRequest(TypedDict):
    prompt: str
    """The purpose and the content of the document."""
    type: NotRequired[TemplateCategory]
    """The type of the document; other when absent."""
    style: NotRequired[TemplateStyle]
    variables: NotRequired[list[str]]
    """Names that the template must use, at most 100."""


class GeneratedTemplate(Record):
    html: str
    """A complete HTML document with Handlebars variables."""
    variables: list[str]
    """Every name that the template reads, as written in its block, and every requested name."""
    type: TemplateCategory
    """The requested type."""
    style: TemplateStyle
    """The requested style."""


class ApiKeyTest(Record):
    authenticated: bool
    email: str
    plan: str


class PolledGeneration(Document):
    template_id: str | None
    input_type: str
    content_type: str
    """The media type of the result."""
    status: str
    """completed or failed."""
    url: str | None
    """A link that is valid for 30 days and differs with each poll."""
    pages: int | None
    file_size: int | None
    """Bytes."""
    generation_time_ms: int | None
    error: str | None
    """`CODE: message`; null unless the generation failed."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    batch_id: str | None
    """Only for an item of a batch."""
    index: int | None
    """The index of the item in its batch, from 0."""


class PolledTemplate(Record):
    id: str
    """Stable between polls; use it to detect duplicates."""
    name: str
    version: int
    is_public: bool
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""


class FormGenerateRequest(TypedDict):
    html: NotRequired[str]
    """The HTML of the document. With `data` it is a Handlebars template."""
    template_id: NotRequired[str]
    """The id of a stored template, `tmpl_…`, or its alias."""
    data: NotRequired[TemplateData]
    format: NotRequired[PaperFormat]
    """The paper format, in upper or lower case; A4 when absent."""
    orientation: NotRequired[Orientation]


class FormGenerateResponse(Document):
    url: str | None
    pages: int | None
    file_size: int | None
    """Bytes."""


class UploadRequest(TypedDict):
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""
    file: FileData
    """A PDF or an office document of at most 27,000,000 bytes; in JSON as base64."""


class StoredFile(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    operation: str
    """The operation that made the file, such as merge; or upload."""
    pages: int | None
    """Null if the file needs a password or is not a PDF."""
    file_size: int
    """Bytes."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    url: str
    """A link that needs no API key, valid for 30 days."""


class FileList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[StoredFile]


class CreateKeyRequest(TypedDict):
    name: str
    """A name for people: 1 to 100 characters."""
    scopes: NotRequired[list[Scope] | None]
    """What the key may do. By default everything except `keys` and `audit`."""
    expires_at: NotRequired[str | None]
    """When the key stops working: ISO 8601 with a time zone. By default never."""
    allowed_ips: NotRequired[list[str] | None]
    """The addresses that may use the key: IPv4 and IPv6 addresses and networks, such as `10.0.0.0/8`. By default all."""
    test: NotRequired[bool]
    """true: a test key, `plt_test_…`. Its documents are marked TEST, cost no quota, and are deleted within a day. By default false; with a test key, true."""


class NewApiKey(Record):
    id: str
    name: str
    hint: str
    """The last four characters of the key."""
    scopes: list[Scope]
    expires_at: str | None
    """When the key stops working; null for never."""
    allowed_ips: list[str] | None
    """The networks that may use the key; null for all."""
    test: bool
    """Whether documents that are made with the key are test documents."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    created_by: str | None
    """The id of the key that created this one. This key works as long as that one does."""
    last_used_at: str | None
    """At most a minute before the last use; null for an unused key."""
    revoked_at: str | None
    """When the key was revoked; null for a key that was not."""
    key: str
    """The key. No other response has it."""


class ApiKeyList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[ApiKey]


class ApiKey(Record):
    id: str
    name: str
    hint: str
    """The last four characters of the key."""
    scopes: list[Scope]
    expires_at: str | None
    """When the key stops working; null for never."""
    allowed_ips: list[str] | None
    """The networks that may use the key; null for all."""
    test: bool
    """Whether documents that are made with the key are test documents."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    created_by: str | None
    """The id of the key that created this one. This key works as long as that one does."""
    last_used_at: str | None
    """At most a minute before the last use; null for an unused key."""
    revoked_at: str | None
    """When the key was revoked; null for a key that was not."""


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`."""
    events: list[str]
    """The types of events that are sent, such as `batch.completed`, or all of a noun, such as `generation.*`."""
    description: NotRequired[str | None]
    """A description for people."""
    enabled: NotRequired[bool]
    """Whether events are sent; by default `true`."""


class NewWebhookEndpoint(Record):
    id: str
    url: str
    events: list[str]
    description: str | None
    enabled: bool
    disabled_reason: DisabledReason | None
    disabled_at: str | None
    """When the endpoint was disabled; null if it is enabled."""
    failing_since: str | None
    """The first failed attempt since the last success; null if the last one succeeded."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""
    secret: str
    """The secret that signs the messages: `whsec_` and base64."""


class WebhookEndpointList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[WebhookEndpoint]


class WebhookEndpoint(Record):
    id: str
    url: str
    events: list[str]
    description: str | None
    enabled: bool
    disabled_reason: DisabledReason | None
    disabled_at: str | None
    """When the endpoint was disabled; null if it is enabled."""
    failing_since: str | None
    """The first failed attempt since the last success; null if the last one succeeded."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    updated_at: str
    """ISO 8601, UTC, milliseconds."""


class ChangeWebhookEndpointRequest(TypedDict):
    url: NotRequired[str]
    """An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`."""
    events: NotRequired[list[str]]
    """The types of events that are sent, such as `batch.completed`, or all of a noun, such as `generation.*`."""
    description: NotRequired[str | None]
    """A description for people."""
    enabled: NotRequired[bool]
    """Whether events are sent. `true` also forgets earlier failures."""


class WebhookEndpointSecret(Record):
    secret: str
    """The secret that signs the messages: `whsec_` and base64."""


class TestWebhookEndpointRequest(TypedDict):
    type: NotRequired[str]
    """A type to which the endpoint subscribes; by default the first one."""


class WebhookDelivery(Record):
    id: str
    """Also sent as the header `webhook-id`, the same for all attempts."""
    event: str
    """The type of the message, such as `generation.completed`. Each plugin documents its types."""
    url: str
    """The URL of the receiver, without query and fragment."""
    endpoint_id: str | None
    """The webhook endpoint; null for the `webhook` of a request."""
    event_id: str | None
    """The event that is sent to an endpoint; null for a sample and a `webhook`."""
    status: DeliveryStatus
    attempts: int
    last_status: int | None
    """The HTTP status of the last attempt; null if it had no response."""
    last_error: str | None
    """Why the last attempt failed; null if it succeeded."""
    next_attempt_at: str | None
    """ISO 8601, UTC; null unless pending."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""


class WebhookDeliveryList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[WebhookDelivery]


class EventList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[Event]


class Event(Record):
    id: str
    type: str
    """Such as `generation.completed`. Each plugin documents its types."""
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    stored_at: str
    """When the event was stored: the order of the list. Later than `timestamp` after a crash."""
    data: Any
    """As in the webhook message of the same type, such as the schema `GenerationCompletedEvent`."""


class Usage(Record):
    plan: str
    period: UsagePeriod
    """The current UTC calendar month; `end` is the start of the next month."""
    used: int
    """PDFs counted against the limit, including PDFs in progress. Failed PDFs are not counted."""
    limit: int | None
    """PDFs per month; null means no limit."""
    remaining: int | None
    """PDFs left this month; null means no limit."""
    by_day: list[UsageByDayItem]
    """Every day of the period up to today. A PDF counts on the day of its request; the items of a batch are added when the batch ends."""
    rate_limit: UsageRateLimit


class UsagePeriod(Record):
    start: str
    """ISO 8601, UTC, milliseconds."""
    end: str
    """ISO 8601, UTC, milliseconds."""


class UsageByDayItem(Record):
    date: str
    """A UTC day, such as `2026-11-22`."""
    completed: int
    failed: int


class UsageRateLimit(Record):
    limit: int
    """Requests per window."""
    window_seconds: int


class AuditList(Record):
    has_more: bool
    """Whether more entries follow; with `ending_before`, whether more precede."""
    total: int | None
    """The number of all entries; with `include=total`."""
    data: list[AuditEntry]


class AuditEntry(Record):
    id: str
    at: str
    """When the change was completed; when it began if the outcome is unknown. ISO 8601, UTC, milliseconds."""
    actor: AuditActor
    action: str
    """Such as `template.updated`."""
    target: str | None
    """The id of what was changed, or its name if it has no id."""
    ip: str | None
    """The address of the caller; null for a command or an operator."""
    request_id: str | None
    """The `X-Request-Id` of the response; null for a command."""
    outcome: AuditOutcome


class AuditActor(Record):
    type: AuditActorType
    id: str | None
    """The id of the API key or of the account; null for a command."""
    name: str
    """The name of the key at the time of the change, the email address of the person, `operator`, or the command."""


class GenerationCompletedEvent(Record):
    type: Literal["generation.completed"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: FinishedGeneration


class FinishedGeneration(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    status: GenerationStatus
    file_size: int | None
    """Bytes."""
    generation_time_ms: int | None
    pages: int | None
    """Null for an image and for a filled office file."""
    template_id: str | None
    input_type: InputType
    content_type: ContentType
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    batch_id: str | None
    """Only for an item of a batch."""
    index: int | None
    """The index of the item in its batch, from 0."""
    url: str | None
    """A link to the PDF, whatever `output` was; null when the generation failed."""
    error: str | None
    """`CODE: message`; null unless the generation failed."""
    warnings: list[Warning]
    """Signs that the document is not as its author meant it, such as data that the template needs and the request lacks; usually empty."""


class GenerationFailedEvent(Record):
    type: Literal["generation.failed"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: FinishedGeneration


class BatchCompletedEvent(Record):
    type: Literal["batch.completed"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: Batch


class TemplateUpdatedEvent(Record):
    type: Literal["template.updated"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: TemplateSummary


class FileCreatedEvent(Record):
    type: Literal["file.created"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: CreatedFile


class CreatedFile(Document):
    file_name: str | None
    reference: str | None
    metadata: Metadata
    expires_at: str | None
    """ISO 8601, UTC, milliseconds."""
    test: bool
    """Whether it was made with a test key."""
    operation: str
    """The operation that made the file, such as merge; or upload."""
    pages: int | None
    """Null if the file needs a password or is not a PDF."""
    file_size: int
    """Bytes."""
    created_at: str
    """ISO 8601, UTC, milliseconds."""
    url: str | None
    """A link that needs no API key, valid for 30 days; null in `GET /v1/events`."""


class WebhookEndpointDisabledEvent(Record):
    type: Literal["webhook_endpoint.disabled"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: WebhookEndpoint


class QuotaThresholdEvent(Record):
    type: Literal["quota.threshold"]
    timestamp: str
    """When it happened: ISO 8601, UTC, milliseconds."""
    data: QuotaThreshold


class QuotaThreshold(Record):
    threshold: int
    """Percent of `limit`: 80 or 100."""
    used: int
    """Completed PDFs of the month, when the threshold was reached. PDFs in progress are not counted."""
    limit: int
    """PDFs per month."""
    period: QuotaThresholdPeriod
    """The UTC calendar month; `end` is the start of the next month."""


class QuotaThresholdPeriod(Record):
    start: str
    """ISO 8601, UTC, milliseconds."""
    end: str
    """ISO 8601, UTC, milliseconds."""


class UploadFields(TypedDict):
    """The properties of an uploaded file."""
    file_name: NotRequired[str]
    """The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed."""
    reference: NotRequired[str]
    """Your own identifier, such as an order number. Lists can be filtered by it."""
    metadata: NotRequired[Metadata]
    expires_in: NotRequired[int]
    """The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day."""


class BulkSettings(TypedDict):
    """The settings of a batch from a file."""
    template: str
    """The id of a stored template, or its alias. Required."""
    options: NotRequired[RenderOptions]
    locale: NotRequired[str]
    """The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`."""
    result: NotRequired[BulkResult]
    """`links` (default), `zip` or `pdf`."""
    file_name: NotRequired[str]
    """The name of each file, such as `Invoice {{number}}`: a template with the data of the item. A second file of the same name gets ` (2)`."""
    on_invalid: NotRequired[Literal["reject", "skip"]]
    """`reject` (default): an invalid line is a 400. `skip`: it is left out."""
    webhook: NotRequired[str]
    """A URL that receives `batch.completed`."""


class ListGenerationsFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    batch_id: NotRequired[str]
    """Only generations of this batch."""
    status: NotRequired[GenerationStatus]
    """Only generations with this status."""
    input_type: NotRequired[InputType]
    """Only generations with this source."""
    template_id: NotRequired[str]
    """Only generations from this template."""
    created_after: NotRequired[str]
    """Only generations that were created at this time or later: a date, which means its midnight in UTC, or a time with its offset (RFC 3339)."""
    created_before: NotRequired[str]
    """Only generations that were created before this time, in the format of `created_after`."""
    reference: NotRequired[str]
    """Returns only results with this reference."""
    test: NotRequired[bool]
    """true: only what was made with test keys; false: only the rest."""


class ListBatchesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    test: NotRequired[bool]
    """true: only what was made with test keys; false: only the rest."""


class ListTemplatesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    search: NotRequired[str]
    """Only entries whose name, description or category contains this text, ignoring case."""
    category: NotRequired[str]
    """Only templates of this category; an unknown category gives an empty list."""
    tag: NotRequired[str]
    """Only templates with this tag."""


class ListTemplateVersionsFilters(TypedDict):
    """The filters of a list."""
    id: NotRequired[str]
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""


class ListTemplateCasesFilters(TypedDict):
    """The filters of a list."""
    id: NotRequired[str]
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""


class ListBrowserChangesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    status: NotRequired[BrowserChangeFilter]
    """Only cases with this status; both when absent."""


class ListAssetsFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""


class ListPublicTemplatesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 20."""
    search: NotRequired[str]
    """Only entries whose name, description or category contains this text, ignoring case."""
    category: NotRequired[str]
    """Only templates of this category; an unknown category gives an empty list."""


class ListCertificatesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""


class ListFilesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    reference: NotRequired[str]
    """Returns only results with this reference."""
    test: NotRequired[bool]
    """true: only what was made with test keys; false: only the rest."""


class ListKeysFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    status: NotRequired[Literal["active", "revoked"]]
    """Only keys that are not revoked, or only revoked keys."""


class ListWebhookEndpointsFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""


class ListWebhookDeliveriesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    status: NotRequired[DeliveryStatus]
    """Only deliveries with this status."""
    event_id: NotRequired[str]
    """Only the deliveries of this event to endpoints."""


class ListEventsFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    type: NotRequired[str]
    """Only events of this type, such as `generation.completed` or `generation.*`."""
    stored_after: NotRequired[str]
    """Only events that were stored at this time or later: a time with its offset (RFC 3339), such as `2026-11-22T09:30:00Z`."""


class ListAuditEntriesFilters(TypedDict):
    """The filters of a list."""
    limit: NotRequired[int]
    """The number of entries to return, 1 to 100. The default is 50."""
    actor: NotRequired[str]
    """Only entries of this actor: the id of an API key or account, or one of `key`, `member`, `operator` and `command`."""
    action: NotRequired[str]
    """Only entries with this action, such as `key.created`, or `key.*` for all on keys."""
    since: NotRequired[str]
    """Only entries of this time or later: a date, which means its midnight in UTC, or a time with its offset (RFC 3339)."""
    until: NotRequired[str]
    """Only entries before this time, in the format of `since`."""

RequestHeaders: TypeAlias = dict[str, str]
"""Only with `url`: up to 50 request headers, sent only to its origin. Cookies and headers have at most 8000 characters together."""

VersionChoice: TypeAlias = Union[int, Literal["draft"]]

TemplateData: TypeAlias = dict[str, Any]
"""Values for the variables of the template, or the props of the component."""

PaperFormat: TypeAlias = Literal["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"]
"""In upper or lower case."""

MarginLength: TypeAlias = Union[float, str]

Orientation: TypeAlias = Literal["portrait", "landscape"]
"""portrait when absent."""

AssetErrorPolicy: TypeAlias = Literal["fail", "ignore"]
"""Whether an image, style sheet, font or other asset that does not load fails the generation. By default it does with `strict`; with `strict` and ignore, only scripts that throw do."""

BrowserChoice: TypeAlias = Literal["current", "earlier"]
"""The Chromium that prints the document: the current one, or an earlier one that the operator keeps. When absent, that of the stored template, or else current."""

MarkPosition: TypeAlias = Union[MarkPoint, Literal["center", "top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right"]]
"""A place on the page, center when absent; or the lower left corner of the mark, in points from the lower left corner of the page as displayed."""

MarkRotation: TypeAlias = Union[float, Literal["diagonal-up", "diagonal-down"]]
"""Degrees counterclockwise; or along the diagonal of the page that goes up or down from the left."""

MarkLayer: TypeAlias = Literal["over", "under"]
"""Whether the mark is drawn over or under the content of the page."""

AttachmentRelationship: TypeAlias = Literal["source", "data", "alternative", "supplement", "unspecified"]
"""How the attachment is related to the document (ISO 32000-2 table 43); unspecified when absent."""

InvoiceProfile: TypeAlias = Literal["minimum", "basic_wl", "basic", "en16931", "extended", "xrechnung"]
"""The profile of Factur-X and ZUGFeRD, or XRechnung 3.0. `minimum` and `basic_wl` have no lines, and are not invoices under EN 16931."""

InvoiceDocument: TypeAlias = Literal["pdf", "cii", "ubl"]
"""`pdf`, the default, is a PDF/A-3b with the invoice as data in it. `cii` and `ubl` are plain XML; UBL needs the profile `en16931` or `xrechnung`."""

SignatureLevel: TypeAlias = Literal["b-b", "b-t", "b-lt", "b-lta"]
"""The PAdES level. The default is b-b. b-t adds a timestamp, b-lt the data to validate the signature when the certificate has expired, and b-lta a timestamp of that data."""

AllowedChanges: TypeAlias = Literal["no_changes", "form_filling", "annotations"]
"""Certifies the PDF (DocMDP), which only the first signature can do. The changes that later revisions may make: none; filling in forms and signing; or these and annotations. The default is null."""

Metadata: TypeAlias = dict[str, str]
"""Up to 20 strings of up to 500 characters, under keys of up to 40."""

Output: TypeAlias = Literal["url", "base64"]
"""How the file is returned: as a link to the stored file (url, the default) or in base64."""

DocumentType: TypeAlias = Literal["pdf", "docx", "xlsx", "pptx"]
"""What is made: a PDF (pdf, the default), or the filled file of a template that is a docx, xlsx or pptx file. It must be the type of the template."""

GenerationStatus: TypeAlias = Literal["queued", "processing", "completed", "failed", "canceled"]

ListInclude: TypeAlias = Literal["total"]

InputType: TypeAlias = Literal["html", "template", "react", "markdown", "url"]

ContentType: TypeAlias = Literal["application/pdf", "image/png", "image/jpeg", "image/webp", "application/zpl", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.openxmlformats-officedocument.presentationml.presentation"]
"""The media type of the result."""

ImageOrLabelFormat: TypeAlias = Literal["png", "jpeg", "webp", "zpl"]
"""png when absent. `zpl` prints the pages as labels for a printer that understands ZPL II."""

BulkResult: TypeAlias = Literal["links", "zip", "pdf"]
"""`links` (default): a link to each document. `zip`, `pdf`: also one archive or one merged PDF, when the batch has ended."""

BatchStatus: TypeAlias = Literal["queued", "processing", "completed", "canceled"]

BatchItemStatus: TypeAlias = Literal["queued", "processing", "completed", "failed", "canceled", "deleted"]

VariableType: TypeAlias = Literal["string", "string!", "string?", "number", "number!", "number?", "integer", "integer!", "integer?", "boolean", "boolean!", "boolean?", "array", "array!", "array?", "object", "object!", "object?", "date", "date!", "date?", "any", "any!", "any?"]

TemplateCategory: TypeAlias = Literal["invoice", "receipt", "report", "certificate", "letter", "resume", "other"]
"""The kind of document; other when absent."""

TemplateFormat: TypeAlias = Literal["html", "docx", "xlsx", "pptx"]
"""HTML, or the type of the file. Absent means HTML."""

BrowserChangeStatus: TypeAlias = Literal["equal", "different", "failed"]

BrowserChangeFilter: TypeAlias = Literal["different", "failed"]

CaseStatus: TypeAlias = Literal["equal", "different", "new", "failed"]
"""equal: the pages are the accepted ones; different: they are not; new: the case has no accepted pages; failed: the document cannot be made."""

FontStyle: TypeAlias = Literal["normal", "italic", "oblique"]
"""The style of a font; by default the font's own."""

ImageFormat: TypeAlias = Literal["png", "jpeg", "webp"]
"""The format of the images. The default is png."""

PdfaLevel: TypeAlias = Literal["1b", "2b", "2u", "3b", "3u"]
"""The part of ISO 19005 and its conformance level. "1b" is the default. 2 and 3 keep transparency, layers and JPEG 2000; 3 keeps attachments; u guarantees Unicode text."""

TextFormat: TypeAlias = Literal["plain", "markdown", "json"]
"""plain (the default) keeps the lines; markdown marks headings and lists and joins the lines of paragraphs; json adds the words with their boxes."""

PipelineStep: TypeAlias = Union[AccessibleStep, AttachmentsStep, CompareStep, CompressStep, FlattenStep, ImagesStep, InfoStep, InvoiceStep, MergeStep, NumberStep, OutlineStep, PagesStep, PdfaStep, PropertiesStep, ProtectStep, SignStep, SplitStep, TextStep, TimestampStep, UnlockStep, ValidateStep, VerifyStep, WatermarkStep, StampStep]

TemplateStyle: TypeAlias = Literal["professional", "modern", "minimal", "colorful"]
"""The look of the document; professional when absent."""

Scope: TypeAlias = Literal["generate", "generations", "templates:read", "templates:write", "marketplace", "files", "pdf", "batches", "assets", "certificates", "webhooks", "usage", "ai", "integrations", "schedules", "keys", "audit"]

DisabledReason: TypeAlias = Literal["request", "failing", "gone"]
"""`request`: a request disabled it. `failing`: all attempts failed for three days. `gone`: it responded with 410."""

DeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]

AuditActorType: TypeAlias = Literal["key", "member", "operator", "command"]
"""An API key, a person in the studio, an operator of the service, or a command on its machine."""

AuditOutcome: TypeAlias = Literal["completed", "unknown"]
"""`unknown` if the service failed or stopped during the change, so that it may have been made or not."""

FileData: TypeAlias = Union[str, bytes, "os.PathLike[str]", IO[bytes]]
"""Bytes, or text that is sent as it is: base64, or an id."""

WebhookEvent: TypeAlias = Union[GenerationCompletedEvent, GenerationFailedEvent, BatchCompletedEvent, TemplateUpdatedEvent, FileCreatedEvent, WebhookEndpointDisabledEvent, QuotaThresholdEvent]
"""A message to a webhook."""

WEBHOOK_EVENTS: dict[str, type[Record]] = {
    "generation.completed": GenerationCompletedEvent,
    "generation.failed": GenerationFailedEvent,
    "batch.completed": BatchCompletedEvent,
    "template.updated": TemplateUpdatedEvent,
    "file.created": FileCreatedEvent,
    "webhook_endpoint.disabled": WebhookEndpointDisabledEvent,
    "quota.threshold": QuotaThresholdEvent,
}
