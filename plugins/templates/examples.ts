import { TemplateSummary } from './schemas.ts';

/** Example bodies of `POST /v1/templates` for the documentation; a test sends them. */
export const createExamples = {
  invoice: {
    name: 'Invoice',
    html_content: '<h1>Invoice {{number}}</h1>{{#each items}}<p>{{name}}: {{price}}</p>{{/each}}',
    schema: { number: 'string', items: 'array' },
    category: 'invoice',
    options: { format: 'A4', margin: '20mm' },
    sample_data: { number: '2026-118', items: [{ name: 'Paper', price: 4.5 }] },
  },
};

/** Example bodies of `PUT /v1/templates/:id`. */
export const updateExamples = {
  'new content': { html_content: '<h1>Invoice {{number}}</h1><p>{{total}}</p>' },
  'alias and tags': { alias: 'invoice', tags: ['sales'] },
  'a draft': { html_content: '<h1>Invoice {{number}}</h1><p>{{total}}</p>', draft: true },
  'new name and schema': { name: 'Invoice (net)', schema: { number: 'string', total: 'number' } },
};

/** An example response of `POST /v1/templates`. */
export const createdExample = {
  id: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  name: 'Invoice',
  html_content: createExamples.invoice.html_content,
  schema: { number: 'string', items: 'array' },
  version: 1,
  is_public: false,
  created_at: '2026-11-21T09:30:00.000Z',
};

const { html_content: html, ...withoutHtml } = createdExample;

/** An example item of `GET /v1/templates`. */
export const listedExample = {
  ...withoutHtml,
  current_version: 1,
  draft_version: null,
  category: 'invoice',
  format: 'html',
  partial: false,
  alias: 'invoice',
  tags: ['sales'],
  require_checks: false,
  updated_at: createdExample.created_at,
};

/** An example item of `GET /v1/templates/:id/versions`. */
export const versionExample = {
  version: 1,
  created_at: createdExample.created_at,
  current: true,
  draft: false,
};

/** An example response of `GET /v1/templates/:id`. */
export const templateExample = {
  ...listedExample,
  html_content: html,
  options: createExamples.invoice.options,
  sample_data: createExamples.invoice.sample_data,
};

/** The webhook message about changed templates, for the documentation. */
export const templateWebhooks = {
  'template.updated': {
    summary: 'A template has changed',
    description:
      'Sent when the current version changes, including when a version is restored or a draft is promoted, and when the name, category, alias, tags or `partial` change. Creating or publishing a template and storing a draft send nothing. `data` is the template after the change, without its HTML.',
    data: TemplateSummary,
    example: {
      ...listedExample,
      version: 2,
      current_version: 2,
      created_at: '2026-11-20T14:05:00.000Z',
    },
  },
};
