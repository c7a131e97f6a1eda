/** Example bodies of `PUT /v1/templates/:id/cases/:name`; a test sends them. */
export const caseExamples = {
  'a long name': { data: { number: '2026-118', items: [{ name: 'Paper, recycled', price: 4.5 }] } },
  'another format': { data: { number: '2026-119' }, options: { format: 'Letter' } },
};

/** Example bodies of `POST /v1/templates/:id/check`. */
export const checkExamples = {
  'changed HTML': { html_content: '<h1>Invoice {{number}}</h1>', cases: ['long-name'] },
};

/** Example bodies of `POST /v1/templates/:id/cases/:name/accept`. */
export const acceptExamples = { 'a version': { version: 3 } };

/** An example of the change of the browser. */
const browserChangeExample = {
  from: '141.0.7390.122',
  to: '142.0.7444.59',
  status: 'different' as const,
  checked_at: '2026-11-23T04:12:00.000Z',
};

/** An example of an entry of `GET /v1/browser-changes`. */
export const changedExample = {
  id: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW:long-name',
  template_id: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  name: 'long-name',
  browser_change: browserChangeExample,
};

/** An example of a case. */
export const caseExample = {
  name: 'long-name',
  template_id: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  data: { number: '2026-118' },
  options: null,
  accepted: {
    pages: 1,
    file_size: 18_342,
    url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
    version: 3,
    chromium: '141',
    accepted_at: '2026-11-21T09:35:00.000Z',
  },
  browser_change: browserChangeExample,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:35:00.000Z',
};

const image = (id: string) => `https://pdf.example.com/files/file_png_${id}?expires=1798761600&signature=…`;

/** An example response of `POST /v1/templates/:id/check`. */
export const checkExample = {
  passed: false,
  version: 4,
  cases: [
    {
      name: 'long-name',
      status: 'different',
      pages: [
        {
          page: 1,
          equal: false,
          changed_fraction: 0.0021,
          image_url: image('9aB8cD7eF6gH5iJ4kL3mN2oP'),
          diff_url: image('1pQ3rS5tU8vW4fG7hJ2kL9mN'),
        },
      ],
      layout: [{ page: 1, finding: 'the line "Paper, recycled" is now on 2 lines: "Paper," and "recycled"' }],
    },
  ],
};
