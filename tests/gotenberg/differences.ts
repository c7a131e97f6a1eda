/** Why scenarios of Gotenberg fail here, by feature and name. docs/gotenberg.md explains the differences. */
interface Difference {
  reason: string;
  /** Each as `feature: name`. */
  scenarios: readonly string[];
}

export const differences: readonly Difference[] = [
  {
    reason: 'the variables PDFENGINES_…_ENGINES have no effect, so the limits of pdftk do not apply',
    scenarios: [
      'pdfengines_encrypt: POST /forms/pdfengines/encrypt (PDFtk - user password only)',
      'pdfengines_rotate: POST /forms/pdfengines/rotate (Specific Pages - pdftk unsupported)',
      'pdfengines_stamp: POST /forms/pdfengines/stamp (Text - pdftk unsupported)',
      'pdfengines_watermark: POST /forms/pdfengines/watermark (Text - pdftk unsupported)',
    ],
  },
  {
    reason: '/ is the studio, or leads to the documentation',
    scenarios: ['root: GET /', 'root: GET / (Gotenberg Trace)', 'root: GET / (Basic Auth)'],
  },
  {
    reason: '/debug lists the modules and settings of Platen',
    scenarios: [
      'debug: GET /debug (Enabled)',
      'debug: GET /debug (Environment based timezone)',
      'debug: GET /debug (No Debug Data)',
    ],
  },
  {
    reason: 'files of a form have no file: URL, so a page cannot name other files of the disk',
    scenarios: [
      'chromium_convert_html: POST /forms/chromium/convert/html (Default Allow / Deny Lists)',
      'chromium_convert_markdown: POST /forms/chromium/convert/markdown (Default Allow / Deny Lists)',
    ],
  },
  {
    reason: 'a page of https://gethttpstatus.com must be reachable, or the browser asks for no favicon.ico',
    scenarios: [
      'chromium_convert_html: POST /forms/chromium/convert/html (Fail On Resource HTTP Status Codes)',
      'chromium_convert_markdown: POST /forms/chromium/convert/markdown (Fail On Resource HTTP Status Codes)',
      'chromium_convert_url: POST /forms/chromium/convert/url (Fail On Resource HTTP Status Codes)',
    ],
  },
  {
    reason: 'a PDF without tags cannot be made PDF/UA: 501',
    scenarios: [
      'pdfengines_convert: POST /forms/pdfengines/convert (Single PDF/UA-1)',
      'pdfengines_convert: POST /forms/pdfengines/convert (Single PDF/A-1b & PDF/UA-1)',
      'pdfengines_merge: POST /forms/pdfengines/merge (PDF/A-1b & PDF/UA-1)',
      'pdfengines_merge: POST /forms/pdfengines/merge (PDF/A-1b & PDF/UA-1 & Metadata & Flatten)',
      'pdfengines_split: POST /forms/pdfengines/split (PDF/A-1b & PDF/UA-1)',
      'pdfengines_split: POST /forms/pdfengines/split (PDF/A-3b & PDF/UA-1 & Metadata & Watermark & Stamp & Rotate & Flatten & Embeds)',
    ],
  },
];
