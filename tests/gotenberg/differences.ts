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
    scenarios: ['debug: GET /debug (Enabled)', 'debug: GET /debug (Environment based timezone)'],
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
      'pdfengines_merge: POST /forms/pdfengines/merge (PDF/A-3b & PDF/UA-1 & Metadata & Watermark & Stamp & Rotate & Flatten & Embeds & Bookmarks)',
      'pdfengines_split: POST /forms/pdfengines/split (PDF/A-1b & PDF/UA-1)',
      'pdfengines_split: POST /forms/pdfengines/split (PDF/A-3b & PDF/UA-1 & Metadata & Watermark & Stamp & Rotate & Flatten & Embeds)',
    ],
  },
  {
    reason: "the log names what it blocks in Platen's words",
    scenarios: [
      'chromium_convert_html: POST /forms/chromium/convert/html (Fetch to a non-public address is filtered)',
      'chromium_convert_html: POST /forms/chromium/convert/html (WebSocket to a non-public address is filtered)',
      'chromium_convert_html: POST /forms/chromium/convert/html (WebSocket from a Web Worker is filtered)',
      'chromium_convert_html: POST /forms/chromium/convert/html (Secure WebSocket to a non-public address is filtered)',
      'chromium_convert_html: POST /forms/chromium/convert/html (EventSource to a non-public address is filtered)',
      'chromium_convert_html: POST /forms/chromium/convert/html (Request does not match the allowed list)',
      'chromium_convert_markdown: POST /forms/chromium/convert/markdown (Request does not match the allowed list)',
      'chromium_screenshot_html: POST /forms/chromium/screenshot/html (WebSocket to a non-public address is filtered)',
      'root: GET /favicon.ico (Gotenberg Trace)',
    ],
  },
  {
    reason: 'private addresses are blocked unless an allow list opens them',
    scenarios: [
      'chromium_convert_url: POST /forms/chromium/convert/url (Main URL resolves to a non-public IP, permissive default)',
      'chromium_convert_url: POST /forms/chromium/convert/url (Redirect to a non-allow-listed address is re-filtered)',
    ],
  },
  {
    reason: 'each document has an empty local storage, so one document cannot leave data to the next',
    scenarios: [
      'chromium_convert_url: POST /forms/chromium/convert/url (localStorage leaks without clearing)',
    ],
  },
  {
    reason: 'an unsupported tag of metadata is refused with the text for unsupported metadata',
    scenarios: [
      'pdfengines_metadata: POST /forms/pdfengines/metadata/write (Reject Newline-Injected Pseudo-Tag)',
    ],
  },
  {
    reason: 'callers authenticate with API keys, not with tokens of an OpenID Connect provider',
    scenarios: ['root: GET / (OIDC Auth)'],
  },
  {
    reason: 'the runner does not know a step of the scenario',
    scenarios: [
      'pdfengines_encrypt: POST /forms/pdfengines/encrypt (Owner-only, restrict printing)',
      'webhook: Asynchronous Trace Continuity',
    ],
  },
];
