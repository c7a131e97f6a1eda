import { LongText, Type } from '../../../src/plugin.ts';
import { documentFields, MAX_TEMPLATE_CHARACTERS, translationFields } from '../../documents/exports.ts';
import { MAX_PREVIEW_PAGES } from './preview.ts';
import { ReceiptResponse } from '../receipt/schema.ts';
import { Warnings } from '../receipt/warnings.ts';

const { html: _html, output: _output, ...otherFields } = documentFields;

/** The body of `POST /v1/templates/preview`. */
export const PreviewBody = Type.Object(
  {
    html_content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEMPLATE_CHARACTERS,
        expected: `a string of 1 to ${MAX_TEMPLATE_CHARACTERS} characters`,
        description: 'HTML with Handlebars syntax.',
      }),
    ),
    ...otherFields,
    ...translationFields,
    output: Type.Optional(
      Type.Union([Type.Literal('pdf'), Type.Literal('png'), Type.Literal('base64')], {
        description:
          'How the preview is returned: the bytes of the PDF (pdf, the default), the bytes of an image of one page (png), or the PDF in JSON (base64).',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PREVIEW_PAGES,
        description: 'The page that `output` png shows, from 1; the first by default.',
      }),
    ),
    receipt: Type.Optional(
      Type.Boolean({
        description:
          'Responds with JSON that also has the receipt: loaded resources, script errors, and characters without a glyph. `data` is then the PDF or image in base64.',
      }),
    ),
  },
  { additionalProperties: false, title: 'PreviewRequest' },
);

/** The response of `POST /v1/templates/preview` with output base64, or with a receipt. */
export const PreviewResponse = Type.Object(
  {
    data: LongText({ expected: 'base64', description: 'The PDF in base64; the image for output png.' }),
    pages: Type.Integer(),
    file_size: Type.Integer({ description: 'Bytes.' }),
    warnings: Warnings,
    receipt: Type.Optional(
      Type.Union([ReceiptResponse, Type.Null()], {
        description: 'Only with `receipt: true`; null when the service keeps no receipts.',
      }),
    ),
  },
  { title: 'PreviewResponse' },
);

/** Example bodies of `POST /v1/templates/preview`; a test sends them. */
export const previewExamples = {
  'new template': { html_content: '<h1>Invoice {{number}}</h1>', data: { number: '2026-118' } },
  'image of a page': {
    html_content: '<h1>Invoice {{number}}</h1>',
    data: { number: '2026-118' },
    output: 'png',
    page: 1,
  },
};

/** An example response of `POST /v1/templates/preview`. */
export const previewExample = { data: 'JVBERi0xLjQK…', pages: 1, file_size: 18_342, warnings: [] };
