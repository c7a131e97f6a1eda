import { FinishedGeneration } from './schemas.ts';

/** Example requests for the documentation. A test sends each of them. */
export const generateExamples = {
  html: { html: '<h1>Hello</h1>', options: { format: 'A4', margin: '20mm' } },
  'html with data': {
    html: '<h1>Invoice {{number}}</h1>{{#each items}}<p>{{name}}: {{price}}</p>{{/each}}',
    data: { number: '2026-118', items: [{ name: 'Paper', price: '12.50' }] },
    options: {
      footer: '<div style="text-align:center">Page {{pageNumber}} of {{totalPages}}</div>',
      margin: { top: '1in', bottom: '1in', left: '0.75in', right: '0.75in' },
    },
    output: 'base64',
  },
  'print options': {
    html: '<h1>Report</h1><p id="status">Loading</p><script>setTimeout(() => { document.querySelector("#status").className = "done" }, 100)</script>',
    options: {
      waitFor: { selector: '#status.done' },
      header: 'Page {{pageNumber}}',
      firstPage: { header: '' },
      pageRanges: '1-',
      onAssetError: 'fail',
    },
  },
  Markdown: {
    markdown: '# Minutes\n\n- [x] Budget\n- [ ] Venue\n\n| Item | Cost |\n|---|--:|\n| Hall | 400 |',
    styles: 'h1 { color: navy }',
  },
  'React component': {
    react: 'export default function Card({ name }: { name: string }) { return <h1>Hello {name}</h1> }',
    data: { name: 'Ada' },
    styles: 'h1 { color: navy }',
  },
  'without waiting': { html: '<h1>Hello</h1>', async: true },
};

const resultExample = {
  id: 'gen_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  status: 'completed',
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  pages: 1,
  file_size: 18_342,
  generation_time_ms: 41,
  file_name: 'invoice-2026-118.pdf',
  reference: 'order 4711',
  metadata: { customer: '88' },
  expires_at: null,
  test: false,
};

/** A response of `POST /v1/generate`. */
export const generatedExample = {
  ...resultExample,
  warnings: [{ code: 'MISSING_VARIABLE', message: 'the data has no customer.name', path: 'customer.name' }],
};

/** The fields of a result that is still to be made. */
export const unmade = {
  status: 'queued',
  url: null,
  pages: null,
  file_size: null,
  generation_time_ms: null,
  warnings: [],
};

/** A response of `POST /v1/generate` with `async`. */
export const queuedExample = { ...resultExample, ...unmade };

/** An item of `GET /v1/generations`. */
export const listedExample = {
  ...resultExample,
  template_id: null,
  input_type: 'html',
  content_type: 'application/pdf',
  created_at: '2026-11-21T09:30:00.000Z',
};

/** A response of `GET /v1/generations/:id`. */
export const generationExample = { ...listedExample, error: null, warnings: [] };

/** The webhook messages about generations, for the documentation. */
export const generationWebhooks = {
  'generation.completed': {
    summary: 'A PDF is stored',
    description: 'Sent to the `webhook` of `POST /v1/generate`.',
    data: FinishedGeneration,
    example: generationExample,
  },
  'generation.failed': {
    summary: 'A document could not be rendered',
    description: 'Sent to the `webhook` of `POST /v1/generate` when the document could not be rendered.',
    data: FinishedGeneration,
    example: {
      ...generationExample,
      status: 'failed',
      url: null,
      pages: null,
      file_size: null,
      error: 'RENDER_TIMEOUT: the document took longer than 30 s',
    },
  },
};
