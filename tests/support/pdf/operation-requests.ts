import { readFileSync } from 'node:fs';
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';
import { follow } from '../openapi.ts';
import { base64 } from './pdf-operations.ts';
import { pagesPdf, plainPdf, stream } from './samples.ts';

const otherPdf = base64(pagesPdf(1));
const newField = { name: 'new', type: 'text', page: 0, x: 10, y: 10, width: 50, height: 15 };

/** Creates the body of a request for a PDF in base64. */
type MakeRequest = (pdf: string) => object;

/** Requests of the operations whose examples in the API documentation do not reach all of their code. */
const CHOSEN_REQUESTS: Readonly<Record<string, readonly MakeRequest[]>> = {
  accessible: [(pdf) => ({ pdf, title: 'x', language: 'en', report: true })],
  attachments: [
    (pdf) => ({ pdf }),
    (pdf) => ({ pdf, add: [{ name: 'b.txt', data: 'AAAA' }] }),
    (pdf) => ({ pdf, remove: ['a.txt'] }),
    (pdf) => ({ pdf, extract: ['a.txt'] }),
  ],
  compare: [(pdf) => ({ pdfs: [pdf, otherPdf] }), (pdf) => ({ pdfs: [otherPdf, pdf] })],
  compress: [(pdf) => ({ pdf }), (pdf) => ({ pdf, allow_signature_loss: true })],
  'forms/add-fields': [(pdf) => ({ pdf, fields: [newField] })],
  'forms/fill': [
    (pdf) => ({ pdf, fields: [{ name: 'x', value: 'y' }] }),
    (pdf) => ({ pdf, fields: [{ name: 'x', value: 'y' }], flatten: true }),
  ],
  images: [(pdf) => ({ pdf, dpi: 10 })],
  invoice: [(pdf) => ({ pdf, profile: 'en16931', data: invoice() })],
  merge: [(pdf) => ({ pdfs: [pdf, otherPdf] })],
  number: [(pdf) => ({ pdf, format: '{{pageNumber}}' })],
  outline: [(pdf) => ({ pdf }), (pdf) => ({ pdf, set: [{ title: 'x', page: 1 }] })],
  pages: [(pdf) => ({ pdf, pages: '1r90, 1, 1-' }), (pdf) => ({ pdf, delete: '1' })],
  pdfa: [(pdf) => ({ pdf }), (pdf) => ({ pdf, level: '3b' })],
  pipeline: [
    (pdf) => ({
      pdf,
      steps: [
        { do: 'properties', set: { title: 'x' } },
        { do: 'stamp', text: 'Draft' },
        { do: 'attachments', add: [{ name: 'b.txt', data: 'AAAA' }] },
      ],
    }),
  ],
  properties: [(pdf) => ({ pdf }), (pdf) => ({ pdf, set: { title: 'x' } })],
  protect: [(pdf) => ({ pdf, owner_password: 'owner', user_password: 'user' })],
  sign: [(pdf) => ({ pdf, name: 'Ada', x: 0, y: 0, width: 60, height: 30 })],
  split: [(pdf) => ({ pdf })],
  stamp: [(pdf) => ({ pdf, text: 'Draft' }), (pdf) => ({ pdf: otherPdf, overlay: pdf })],
  text: [(pdf) => ({ pdf, format: 'json' }), (pdf) => ({ pdf, format: 'markdown' })],
  timestamp: [(pdf) => ({ pdf })],
  unlock: [(pdf) => ({ pdf, password: 'open' })],
  validate: [(pdf) => ({ pdf, profile: 'pdfa-1b' })],
  verify: [(pdf) => ({ pdf })],
  watermark: [(pdf) => ({ pdf, text: 'Draft' }), (pdf) => ({ pdf: otherPdf, overlay: pdf })],
};

/** A file of two pages with a form field and an attachment. */
export const soundPdf = plainPdf([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/DA(/Helv 9 Tf 0 g)>>/Names<</EmbeddedFiles<</Names[(a.txt)7 0 R]>>>>>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
  '<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]>>',
  '<</Type/Page/Parent 2 0 R>>',
  stream('0 0 9 9 re f'),
  '<</T(x)/FT/Tx/Subtype/Widget/DA(/Helv 9 Tf 0 g)/Rect[0 50 90 69]/P 3 0 R>>',
  '<</Type/Filespec/F(a.txt)/EF<</F 8 0 R>>>>',
  stream('attached', '/Type/EmbeddedFile'),
]);

/** An operation on PDFs of the API documentation. */
interface DocumentedOperation {
  /** The path below `/v1/pdf/`. */
  name: string;
  /** The media types of a successful response. */
  mediaTypes: readonly string[];
  /** The examples of its request that have a PDF. */
  examples: readonly MakeRequest[];
}

interface Post {
  requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
  responses: { 200: object };
}

interface OpenApi {
  paths: Record<string, { post?: Post }>;
}

/** Lists the operations on PDFs from `docs/openapi.json`, which `npm run check` compares with the routes. */
export function documentedOperations(): DocumentedOperation[] {
  const file = new URL('../../../docs/openapi.json', import.meta.url);
  const document: OpenApi = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    // Converting takes an office document in place of a PDF.
    if (!post || !path.startsWith('/v1/pdf/') || path === '/v1/pdf/convert') return [];
    const { examples } = post.requestBody.content['application/json'];
    return [
      {
        name: path.slice('/v1/pdf/'.length),
        mediaTypes: Object.keys(follow(document, post.responses[200]).content),
        examples: Object.values(examples)
          .filter(({ value }) => 'pdf' in value)
          .map(({ value }) => (pdf: string) => ({ ...value, pdf })),
      },
    ];
  });
}

/**
 * Valid requests of every operation on PDFs, keyed by its path below `/v1/pdf/`. An operation has several
 * requests if its fields lead to different code. All requests succeed with `soundPdf`.
 */
export const OPERATION_REQUESTS: Readonly<Record<string, readonly MakeRequest[]>> = {
  ...Object.fromEntries(documentedOperations().map(({ name, examples }) => [name, examples])),
  ...CHOSEN_REQUESTS,
};
