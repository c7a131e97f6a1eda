/** A minimal PDF with one blank page of 200 x 100 points. */
export const samplePdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>>>endobj
xref
0 4
0000000000 65535 f 
0000000009 00000 n 
0000000052 00000 n 
0000000101 00000 n 
trailer<</Root 1 0 R/Size 4>>
startxref
178
%%EOF`,
).toString('base64');

/** A response to a request with `output: "url"`. */
export const fileExample = {
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  file_size: 48_211,
  file_id: 'file_9aB8cD7eF6gH5iJ4kL3mN2oP',
  file_name: null,
  reference: null,
  metadata: {},
  expires_at: null,
  test: false,
};

/** A response with an archive, to a request with `output: "url"`. */
export const archiveExample = {
  ...fileExample,
  url: 'https://pdf.example.com/files/file_zip_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  file_id: 'file_zip_9aB8cD7eF6gH5iJ4kL3mN2oP',
};
