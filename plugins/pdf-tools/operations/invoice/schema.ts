import { FileInput, LongText, Type } from '../../../../src/plugin.ts';
import { OutputChoice, optionalPdfProperties, PdfInput, resultFields } from '../../../files/exports.ts';
import { InvoiceData, InvoiceDocument, InvoiceProfileName } from '../../../documents/exports.ts';

export const InvoiceBody = Type.Object(
  {
    pdf: Type.Optional({ ...PdfInput, description: `${PdfInput.description} Absent for plain XML.` }),
    profile: InvoiceProfileName,
    data: Type.Optional(InvoiceData),
    xml: Type.Optional(
      FileInput({
        expected: 'XML as a file part or a base64 string',
        description:
          'A finished invoice in CII, in place of `data`, to be embedded in the PDF as it is. A base64 string or a file part.',
      }),
    ),
    check: Type.Optional(
      Type.Boolean({
        description:
          'With `xml`: whether it must obey the rules of the profile. `false` embeds any file, so the PDF may not conform to the profile that its metadata names. The default is true.',
      }),
    ),
    document_type: Type.Optional(
      Type.Union(
        (['INVOICE', 'ORDER', 'ORDER_RESPONSE', 'ORDER_CHANGE'] as const).map((type) => Type.Literal(type)),
        {
          expected: 'one of "INVOICE", "ORDER", "ORDER_RESPONSE", "ORDER_CHANGE"',
          description: 'With `xml`: the type of the document in the XMP metadata; INVOICE when absent.',
        },
      ),
    ),
    version: Type.Optional(
      Type.String({
        pattern: String.raw`^[A-Za-z0-9_.:/-]{1,20}$`,
        expected: 'a version such as "1.0"',
        description:
          'With `xml`: the version of the standard in the XMP metadata. The default is "1.0", or "3.0" for XRechnung.',
      }),
    ),
    document: Type.Optional(InvoiceDocument),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'InvoiceRequest' },
);

/** The response of `POST /v1/pdf/invoice`: a PDF, or plain XML. */
export const InvoiceResponse = Type.Object(
  {
    profile: InvoiceProfileName,
    ...optionalPdfProperties,
    document: Type.Optional(InvoiceDocument),
    xml: Type.Optional(LongText({ expected: 'XML', description: 'Present with document cii or ubl.' })),
  },
  { title: 'InvoiceResult' },
);

/** The body of `POST /v1/pdf/invoice/read`. */
export const ReadInvoiceBody = Type.Object(
  { pdf: PdfInput },
  { additionalProperties: false, title: 'ReadInvoiceRequest' },
);

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** The response of `POST /v1/pdf/invoice/read`. */
export const ReadInvoiceResponse = Type.Object(
  {
    found: Type.Boolean({ description: 'Whether the PDF has an embedded invoice.' }),
    profile: Type.Union([InvoiceProfileName, Type.Null()], {
      description: 'The profile that the invoice names; null if it is unknown.',
    }),
    file_name: nullable('The name of the embedded file.'),
    xml: nullable('The embedded file; null if the PDF has no invoice.'),
    data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'The invoice in the shape of `data` of `POST /v1/pdf/invoice`.',
    }),
    valid: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'Whether the invoice obeys all rules; null if the PDF has no invoice, or if its profile is unknown or that of ZUGFeRD 1.0.',
    }),
    message: Type.Optional(Type.String({ description: 'Why `valid` is null for an invoice.' })),
    findings: Type.Array(
      Type.Object({
        rule: Type.String({
          description:
            'The identifier of the rule, such as "BR-CO-10", or "FORMAT" for a value that cannot be read.',
        }),
        message: Type.String(),
        path: Type.String({ description: 'The path in `data`.' }),
      }),
      {
        description:
          'The violated rules, at most 100. The rules of EN 16931 are applied to an invoice whose profile is unknown.',
      },
    ),
  },
  { title: 'ReadInvoiceResult' },
);
