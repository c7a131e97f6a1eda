import { Type, type Static } from '../../src/plugin.ts';
import { AccessibleOption } from './accessible.ts';
import { AnyCase } from './any-case.ts';
import { AttachmentsOption, DocumentProperties, WatermarkOption } from './finish.ts';
import { PdfaOption } from './pdfa-level.ts';
import { InvoiceOption } from './invoice.ts';
import { ProtectOption } from './protect.ts';
import { SignatureOption } from './signature.ts';
import { FORMAT_NAMES } from './paper-formats.ts';

const MAX_HEADER_FOOTER_CHARACTERS = 100_000;

const Length = Type.String({
  minLength: 1,
  maxLength: 20,
  expected: 'a length such as "0.5in" (px, in, cm, mm, pt or pc)',
  description: 'A length in px, in, cm, mm, pt or pc. A number without a unit is in px.',
});

const Pixels = Type.Number({ minimum: 0, description: 'CSS pixels, 96 to the inch.' });

const MarginSide = Type.Union([Pixels, Length], {
  title: 'MarginLength',
  expected: 'a number of CSS pixels, or a length such as "0.5in"',
});

/** The name of a paper format. */
export const FormatName = AnyCase({
  title: 'PaperFormat',
  enum: FORMAT_NAMES,
  expected: `one of ${FORMAT_NAMES.join(', ')}`,
  description: 'In upper or lower case.',
});

/** The HTML of a header or footer. */
export const HeaderFooter = Type.String({
  title: 'HeaderFooter',
  maxLength: MAX_HEADER_FOOTER_CHARACTERS,
  expected: `a string of HTML of at most ${MAX_HEADER_FOOTER_CHARACTERS} characters`,
  description:
    'HTML without scripts. `{{pageNumber}}`, `{{totalPages}}`, `{{sectionTitle}}`, `{{sectionPageNumber}}` and `{{sectionTotalPages}}` are replaced. With `data` or a `template`, the rest is a Handlebars template, whose result has at most 400,000 characters. Images must be assets (`asset:logo.png`) or data: URIs.',
});

/** The conditions that a document must meet before it is printed or captured. */
export const WaitFor = Type.Object(
  {
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'A CSS selector that an element of the document must match.',
      }),
    ),
    expression: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description:
          'A JavaScript expression that must become true, or return a promise of a true value. It is evaluated in the document until it is true.',
      }),
    ),
    networkIdle: Type.Optional(
      Type.Boolean({ description: 'true: no request may have been pending for 500 ms.' }),
    ),
    delayMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600_000,
        description: 'Milliseconds; less than the time limit of a document.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'WaitFor',
    description:
      'The conditions that a loaded document must meet before it is printed, in the order of these fields. A condition that is not met within the time limit of the document fails it with an error that names the condition.',
  },
);

/** The options of a generation (docs/internals/spec.md section 4.1). */
export const GenerateOptions = Type.Object(
  {
    format: Type.Optional(
      Type.Union(
        [
          FormatName,
          Type.Object(
            {
              width: Length,
              height: Type.Optional({
                ...Length,
                description: 'Required without `singlePage`, and not allowed with it.',
              }),
            },
            { additionalProperties: false, title: 'PaperSize' },
          ),
        ],
        {
          expected: `one of ${FORMAT_NAMES.join(', ')}, or { width, height }`,
          description: 'The paper format: a name in upper or lower case, or a size. A4 when absent.',
        },
      ),
    ),
    margin: Type.Optional(
      Type.Union(
        [
          Pixels,
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'One to four lengths, as in the CSS property `margin`: "0.5in", "1in 2cm".',
          }),
          Type.Object(
            {
              top: Type.Optional(MarginSide),
              right: Type.Optional(MarginSide),
              bottom: Type.Optional(MarginSide),
              left: Type.Optional(MarginSide),
            },
            { additionalProperties: false, title: 'PageMargins' },
          ),
        ],
        {
          expected:
            'a number of CSS pixels, one to four lengths such as "0.5in 1in", or { top, right, bottom, left }',
          description: 'The margins of all sides or per side. The default is 0.5in.',
        },
      ),
    ),
    orientation: Type.Optional(
      Type.Union([Type.Literal('portrait'), Type.Literal('landscape')], {
        title: 'Orientation',
        description: 'portrait when absent.',
      }),
    ),
    header: Type.Optional(HeaderFooter),
    footer: Type.Optional(HeaderFooter),
    firstPage: Type.Optional(
      Type.Object(
        { header: Type.Optional(HeaderFooter), footer: Type.Optional(HeaderFooter) },
        {
          additionalProperties: false,
          description:
            'The header and footer of the first page. An empty string prints nothing; an absent field keeps `header` or `footer` of the other pages.',
        },
      ),
    ),
    pageNumberStart: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description:
          'The number of the first page; 1 when absent. `{{totalPages}}` is then the number of the last page. Applies to headers, footers and the CSS counter `page`.',
      }),
    ),
    printBackground: Type.Optional(
      Type.Boolean({ description: 'Background colours and images; true when absent.' }),
    ),
    scale: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 2,
        description:
          'The size of the content relative to its CSS size; 1 when absent. Margins, header and footer are not scaled.',
      }),
    ),
    singlePage: Type.Optional(
      Type.Boolean({
        description:
          'true: print the document on one page that is as tall as its content, up to 200in. `format` is then the name of a format, whose width applies, or `{ width }`. Page breaks have no effect.',
      }),
    ),
    pageRanges: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          'The pages to print, such as "1-3, 5, 9-"; `9-` ends with the document, and `10-8` is reversed. All pages when absent. Page numbers in header and footer stay those of the document.',
      }),
    ),
    media: Type.Optional(
      Type.Union([Type.Literal('print'), Type.Literal('screen')], {
        description: 'The media type whose styles apply; print when absent.',
      }),
    ),
    waitFor: Type.Optional(WaitFor),
    preferCssPageSize: Type.Optional(
      Type.Boolean({
        description:
          'Whether `@page { size }` in the document replaces `format` and `orientation`. By default it does when both are absent.',
      }),
    ),
    strict: Type.Optional(
      Type.Boolean({
        description:
          'Fail the generation when an image, style sheet, font or other asset does not load, or a script throws. The default is false.',
      }),
    ),
    onAssetError: Type.Optional(
      Type.Union([Type.Literal('fail'), Type.Literal('ignore')], {
        title: 'AssetErrorPolicy',
        description:
          'Whether an image, style sheet, font or other asset that does not load fails the generation. By default it does with `strict`; with `strict` and ignore, only scripts that throw do.',
      }),
    ),
    ignoreAssetHosts: Type.Optional(
      Type.Array(Type.String({ maxLength: 260 }), {
        maxItems: 100,
        description:
          'Hosts (`cdn.example.com`, any port) or hosts and ports (`cdn.example.com:8080`) whose assets may fail.',
      }),
    ),
    outline: Type.Optional(
      Type.Boolean({ description: 'true: add bookmarks from the headings h1 to h6. The default is false.' }),
    ),
    browser: Type.Optional(
      Type.Union([Type.Literal('current'), Type.Literal('earlier')], {
        title: 'BrowserChoice',
        description:
          'The Chromium that prints the document: the current one, or an earlier one that the operator keeps. When absent, that of the stored template, or else current.',
      }),
    ),
    properties: Type.Optional(DocumentProperties),
    watermark: Type.Optional(WatermarkOption),
    attachments: Type.Optional(AttachmentsOption),
    protect: Type.Optional(ProtectOption),
    pdfa: Type.Optional(PdfaOption),
    invoice: Type.Optional(InvoiceOption),
    accessible: Type.Optional(AccessibleOption),
    signature: Type.Optional(SignatureOption),
  },
  { additionalProperties: false, title: 'PrintOptions' },
);

/** The options of a generation in a request. */
export type GenerateOptions = Static<typeof GenerateOptions>;
