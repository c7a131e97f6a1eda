import { BatchResponse } from './schemas.ts';

/** Example requests for the documentation. A test sends each of them. */
export const batchExamples = {
  'two invoices': {
    items: [
      { html: '<h1>Invoice {{number}}</h1>', data: { number: '2026-118' } },
      { html: '<h1>Invoice {{number}}</h1>', data: { number: '2026-119' }, output: 'base64' },
    ],
  },
  react: {
    items: [
      {
        react: 'export default function Card({ name }: { name: string }) { return <h1>Hello {name}</h1> }',
        data: { name: 'Ada' },
        styles: 'h1 { color: navy }',
      },
    ],
  },
};

const generations = [
  { id: 'gen_4fG7hJ2kL9mN1pQ3rS5tU8vW', index: 0 },
  { id: 'gen_7hJ2kL9mN1pQ3rS5tU8vW4fG', index: 1 },
];

/** A response of `POST /v1/generate/batch`. */
export const acceptedExample = {
  batch_id: 'batch_9aB8cD7eF6gH5iJ4kL3mN2oP',
  total: 2,
  generations,
  status: 'queued',
};

/** An item of `GET /v1/batches`. */
export const listedExample = {
  batch_id: 'batch_9aB8cD7eF6gH5iJ4kL3mN2oP',
  status: 'completed',
  total: 2,
  completed: 1,
  failed: 1,
  canceled: 0,
  created_at: '2026-11-21T09:30:00.000Z',
  test: false,
};

/** A response of `GET /v1/batches/:id`. */
export const batchExample = {
  ...listedExample,
  generations: generations.map((generation, index) => ({
    ...generation,
    status: index === 0 ? 'completed' : 'failed',
    error: index === 0 ? null : 'TEMPLATE_NOT_FOUND: template tmpl_5rS7tU9vW2xY4zA6bC8dE1fG not found',
  })),
};

/** The webhook messages about batches, for the documentation. */
export const batchWebhooks = {
  'batch.completed': {
    summary: 'The last item of a batch has completed or failed',
    description:
      'Sent to the `webhook` of `POST /v1/generate/batch`. Read the PDFs with `GET /v1/generations/{id}`.',
    data: BatchResponse,
    example: batchExample,
  },
};

/** A response of `POST /v1/batches/:id/cancel`. */
export const canceledExample = {
  ...batchExample,
  status: 'canceled',
  completed: 1,
  failed: 0,
  canceled: 1,
  generations: generations.map((generation, index) => ({
    ...generation,
    status: index === 0 ? 'completed' : 'canceled',
    error: null,
  })),
};
