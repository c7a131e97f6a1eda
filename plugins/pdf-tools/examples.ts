/** The smallest PDF that shows something: one page of 200 x 100 points. */
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

/** A result with output url. */
export const fileExample = {
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  file_size: 48_211,
};

/** An answer of `POST /v1/pdf/info`. */
export const infoExample = {
  pages: 12,
  title: 'Annual report',
  author: 'Ada Lovelace',
  subject: '',
  creator: 'Writer',
  producer: 'LibreOffice 24.2',
  creation_date: '2026-03-01T08:30:00.000Z',
  modification_date: null,
  file_size: 183_442,
  encrypted: false,
  pdf_version: '1.7',
  page_sizes: [
    { width: 595.276, height: 841.89, count: 11 },
    { width: 841.89, height: 595.276, count: 1 },
  ],
  has_form: false,
  has_signatures: false,
  tagged: true,
  pdfa: '2B',
};
