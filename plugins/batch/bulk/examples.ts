/** A response of `POST /v1/batches`. */
export const acceptedBulkExample = {
  batch_id: 'batch_9aB8cD7eF6gH5iJ4kL3mN2oP',
  total: 9998,
  skipped: 2,
  invalid_lines: [
    { line: 17, message: 'has 3 values, but the header names 4 columns' },
    { line: 118, message: 'has a quote that is not closed' },
  ],
  status: 'queued',
};

/** An item of `GET /v1/batches/:id/items`. */
export const itemExample = {
  id: 'gen_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  index: 0,
  status: 'completed',
  error: null,
  url: 'https://pdf.example.com/files/file_5rS7tU9vW2xY4zA6bC8dE1fG?expires=1793007000&signature=0a1b2c',
  file_name: 'Invoice 118.pdf',
  warnings: 0,
};
