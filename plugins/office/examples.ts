/** A short text in the Rich Text Format. */
export const sampleDocument = Buffer.from(
  '{\\rtf1\\ansi\\b Offer\\b0\\par Thank you for your request.\\par}',
).toString('base64');

/** A response to a request with `output: "url"`. */
export const convertedExample = {
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  file_size: 13_402,
  file_id: 'file_9aB8cD7eF6gH5iJ4kL3mN2oP',
  file_name: null,
  reference: null,
  metadata: {},
  expires_at: null,
  test: false,
};
