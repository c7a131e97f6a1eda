import { Type } from '../../src/plugin.ts';
import { FileAnswer, fileProperties, OutputChoice, Pdf } from './exchange-schemas.ts';
import { MIN_STAMP } from './operations/sign/stamp-html.ts';

const MAX_RANGES = 1_000;
const MAX_PDFS = 500;

/** The body of `POST /v1/pdf/info`. */
export const InfoBody = Type.Object({ pdf: Pdf }, { additionalProperties: false });

/** The body of `POST /v1/pdf/merge`. */
export const MergeBody = Type.Object(
  {
    pdfs: Type.Array(Pdf, {
      minItems: 2,
      maxItems: MAX_PDFS,
      expected: `a list of 2 to ${MAX_PDFS} PDFs as strings in base64`,
      description: 'Merged in the given order.',
    }),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

/** The body of `POST /v1/pdf/split`. What a range is, is checked where the number of pages is known. */
export const SplitBody = Type.Object(
  {
    pdf: Pdf,
    ranges: Type.Optional(
      Type.Array(
        Type.Array(Type.Unknown({ type: 'integer', minimum: 1 }), {
          expected: 'a range: [page] or [first, last]',
          description: '`[page]` or `[first, last]`, from 1, inclusive.',
        }),
        {
          maxItems: MAX_RANGES,
          expected: `a list of 1 to ${MAX_RANGES} ranges, each [page] or [first, last]`,
          description:
            'One part for each, in order; they may overlap. Every page is a part of its own when absent.',
        },
      ),
    ),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

const MAX_NAME = 200;
const MAX_STAMP_TEXT = 1_000;
/** The longest side of a page (ISO 32000-1 annex C.2). */
const MAX_POINTS = 14_400;

const stampText = Type.Optional(Type.String({ maxLength: MAX_STAMP_TEXT }));
const points = (minimum: number, standard: number, what: string) =>
  Type.Optional(
    Type.Number({
      minimum,
      maximum: MAX_POINTS,
      expected: `a number of points from ${minimum} to ${MAX_POINTS}`,
      description: `${what}, in points; ${standard} when absent.`,
    }),
  );

/** The body of `POST /v1/pdf/sign`. Whether there is such a page, and such a box on it, is checked where the PDF is open. */
export const SignBody = Type.Object(
  {
    pdf: Pdf,
    name: Type.String({
      minLength: 1,
      maxLength: MAX_NAME,
      expected: `the name of who signs, a string of 1 to ${MAX_NAME} characters`,
    }),
    reason: stampText,
    location: stampText,
    contact: stampText,
    page: Type.Optional(
      Type.Unknown({
        type: 'integer',
        minimum: 0,
        description: 'From 0; the first page when absent.',
      }),
    ),
    x: points(0, 50, 'The left edge, from the left of the page as it is shown'),
    y: points(0, 50, 'The lower edge, from the bottom of the page as it is shown'),
    width: points(MIN_STAMP.width, 200, 'The width'),
    height: points(MIN_STAMP.height, 60, 'The height'),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

/** The engine cuts longer texts off, to stay within the longest string of PDF/A-1. */
const MAX_METADATA_CHARACTERS = 16_000;
const metadataText = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: MAX_METADATA_CHARACTERS,
      expected: `a string of at most ${MAX_METADATA_CHARACTERS} characters`,
      description: `${what}, in Info and XMP alike; the document's own when absent. Control characters become spaces.`,
    }),
  );

/** The body of `POST /v1/pdf/pdfa`. */
export const ArchiveBody = Type.Object(
  {
    pdf: Pdf,
    title: metadataText('The title'),
    author: metadataText('The author'),
    subject: metadataText('The subject'),
    allow_signature_loss: Type.Optional(
      Type.Boolean({
        description: 'Convert a signed document as well: its signatures become pictures. false when absent.',
      }),
    ),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

/** The answer of `POST /v1/pdf/pdfa`. */
export const ArchiveAnswer = Type.Object({
  ...fileProperties,
  pdfa: Type.Literal(true, { description: 'The result was checked, and is PDF/A-1b.' }),
});

/** The answer of `POST /v1/pdf/split`. */
export const SplitAnswer = Type.Object({ parts: Type.Array(FileAnswer), total: Type.Integer() });

/** The answer of `POST /v1/pdf/sign`. */
export const SignAnswer = Type.Object({
  ...fileProperties,
  signed: Type.Literal(true, { description: 'There is a visual signature, and no cryptographic one.' }),
  signature_annotation_added: Type.Literal(true, { description: 'The same.' }),
});

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** The answer of `POST /v1/pdf/info`. */
export const InfoAnswer = Type.Object({
  pages: Type.Integer(),
  title: Type.String(),
  author: Type.String(),
  subject: Type.String(),
  creator: Type.String(),
  producer: Type.String(),
  creation_date: nullable(Type.String({ description: 'ISO 8601, UTC; null when absent or malformed.' })),
  modification_date: nullable(Type.String()),
  file_size: Type.Integer({ description: 'Bytes.' }),
  encrypted: Type.Boolean({ description: 'Written encrypted; it opens without a password.' }),
  pdf_version: Type.String(),
  page_sizes: Type.Array(
    Type.Object({ width: Type.Number(), height: Type.Number(), count: Type.Integer() }),
    { description: 'Each distinct size in points, as pages are shown: cropped and turned.' },
  ),
  has_form: Type.Boolean(),
  has_signatures: Type.Boolean(),
  tagged: Type.Boolean(),
  pdfa: nullable(Type.String({ description: 'What the metadata claim, such as "1B"; not checked.' })),
});
