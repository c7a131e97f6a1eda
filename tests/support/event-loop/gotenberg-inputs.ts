import { pagesPdf } from '../pdf/samples.ts';
import { json, keys, MB, objects, type WorstInput } from './inputs.ts';
import { contentType, field, file, form } from './multipart-form.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const latin1 = (...parts: string[]) => Buffer.from(form(...parts), 'latin1');
/** Ends a request before the document is printed. */
const unprintable = field('scale', '9');
const upload = (fileName: string, content: string, part = 'files') => file(content, part, fileName);

/** Parts that every route of one family takes, so that the work begins. */
interface Family {
  routes: readonly string[];
  document: () => string;
  /** The test sends a route one form of so many, in turn: all routes share the reader of forms. */
  turns: number;
}

const chromium: Family = {
  turns: 6,
  routes: ['html', 'markdown', 'url'].flatMap((source) => [
    `POST /forms/chromium/convert/${source}`,
    `POST /forms/chromium/screenshot/${source}`,
  ]),
  document: () =>
    upload('index.html', '<p>{{ toHTML "a.md" }}') +
    upload('a.md', 'x') +
    field('url', 'http://192.0.2.1/') +
    unprintable,
};

const pdfEngines: Family = {
  turns: 15,
  routes: [
    'merge',
    'split',
    'flatten',
    'optimize',
    'convert',
    'metadata/write',
    'metadata/read',
    'bookmarks/write',
    'bookmarks/read',
    'encrypt',
    'embed',
    'watermark',
    'stamp',
    'rotate',
    'factur-x',
  ].map((name) => `POST /forms/pdfengines/${name}`),
  document: () => upload('a.pdf', pagesPdf(1)),
};

const libreOffice: Family = {
  turns: 12,
  routes: ['POST /forms/libreoffice/convert'],
  document: () => upload('a.csv', 'x'),
};

const brackets = '['.repeat(0.99 * MB);
/** The fields that contain JSON. */
const JSON_FIELDS = [
  'failOnHttpStatusCodes',
  'failOnResourceHttpStatusCodes',
  'ignoreResourceHttpStatusDomains',
  'failOnConsoleMessageTypes',
  'cookies',
  'extraHttpHeaders',
  'emulatedMediaFeatures',
  'metadata',
  'embedsMetadata',
  'bookmarks',
];

const everyField = (value: string) => JSON_FIELDS.map((name) => field(name, value)).join('');
const marks = (kind: string, { pages, options }: { pages: string; options: string }) =>
  (
    field(`${kind}Source`, 'text') +
    field(`${kind}Expression`, 'x') +
    field(`${kind}Pages`, pages) +
    field(`${kind}Options`, options)
  ).repeat(50);

/** Forms that, as far as is known, cost the most to read, whatever their route is. */
const hostileForms: Record<string, () => string> = {
  '30 MB of line breaks and dashes': () => upload('x.pdf', '\r\n--'.repeat(7 * MB)),
  '900 file names of 8 KB of digits': () =>
    range(900)
      .map((index) => upload(`a${index}${'9'.repeat(7_900)}.pdf`, 'x'))
      .join(''),
  '900 file names of 8 KB of marks': () =>
    range(900)
      .map((index) => upload(`a${index}${'\u0301\u0323'.repeat(1_950)}.pdf`, 'x'))
      .join(''),
  '900 file names of quotes': () =>
    range(900)
      .map((index) => upload(`a${index}${'%22'.repeat(2_000)}.pdf`, 'x'))
      .join(''),
  'JSON fields of a MB of brackets': () => everyField(brackets),
  'JSON fields of a MB of keys': () => everyField(json(keys(60_000, 'x'))),
  'JSON fields of a MB of objects': () => everyField(objects(330_000)),
  'JSON fields of a MB of texts': () => everyField(`[${'"a",'.repeat(0.24 * MB)}"a"]`),
  'downloadFrom malformed at its end': () => field('downloadFrom', `[${'1,'.repeat(0.49 * MB)}`),
  'metadata malformed at its end': () => field('metadata', `{"a":[${'"\\n",'.repeat(0.19 * MB)}`),
  'every number a MB of digits': () =>
    ['scale', 'paperWidth', 'paperHeight', 'marginTop', 'width', 'height', 'quality', 'rotateAngle', 'zoom']
      .map((name) => field(name, '1'.repeat(0.99 * MB)))
      .join(''),
  'a delay of a MB': () => field('waitDelay', '1ns'.repeat(0.33 * MB)),
  '100 marks with a MB of spaces': () => {
    const pages = `${' '.repeat(0.9 * MB)}1`;
    return ['watermark', 'stamp'].map((kind) => marks(kind, { pages, options: '' })).join('');
  },
  '100 marks with a MB of options': () =>
    ['watermark', 'stamp']
      .map((kind) => marks(kind, { pages: '1', options: json(keys(60_000, 'x')) }))
      .join(''),
  '100 marks with 1,000 ranges': () =>
    ['watermark', 'stamp']
      .map((kind) => marks(kind, { pages: '1-'.concat(',1-'.repeat(999)), options: '' }))
      .join(''),
  'metadata of a MB': () => field('metadata', json(keys(60_000, 'x'))),
  'bookmarks of a MB': () => field('bookmarks', objects(330_000)),
  'a split of a MB': () => field('splitMode', 'pages') + field('splitSpan', '1,'.repeat(0.49 * MB)),
  'pages of a MB': () =>
    field('rotateAngle', '90') +
    field('rotatePages', '1,'.repeat(0.49 * MB)) +
    field('nativePageRanges', '1,'.repeat(0.49 * MB)),
  'scopes of 1,000 repeated letters': () => {
    const scope = 'a{1000}'.repeat(146);
    return field(
      'extraHttpHeaders',
      json(Object.fromEntries(range(4).map((index) => [`x-${index}`, `v;scope=${scope}`]))),
    );
  },
  'scopes of 1,000 repeated classes': () => {
    const scope = String.raw`\pL{1000}`.repeat(110);
    return field(
      'extraHttpHeaders',
      json(Object.fromEntries(range(4).map((index) => [`x-${index}`, `v;scope=${scope}`]))),
    );
  },
  '60,000 headers of a download': () =>
    field('downloadFrom', json([{ url: 'http://192.0.2.1/', extraHttpHeaders: keys(50_000, 'x') }])),
  'downloadFrom of a MB of brackets': () => field('downloadFrom', `[{"url":${brackets}`),
  'user agent and expressions of a MB': () =>
    ['userAgent', 'waitForExpression', 'waitForSelector', 'userPassword', 'pdfa']
      .map((name) => field(name, 'x'.repeat(0.99 * MB)))
      .join(''),
  '250,000 ignored domains': () =>
    field('ignoreResourceHttpStatusDomains', `[${'"a",'.repeat(0.24 * MB)}"a"]`) +
    field('failOnResourceHttpStatusCodes', '[599]'),
  '100,000 media features': () => field('emulatedMediaFeatures', json(keys(60_000, 'x'))),
};

const routeInputs = [chromium, pdfEngines, libreOffice].flatMap(({ routes, document, turns }) =>
  routes.flatMap((route, turn) =>
    Object.entries(hostileForms).map(([name, parts], index): WorstInput => ({
      route,
      name,
      body: () => form(parts(), document()),
      benchOnly: index % turns !== turn,
    })),
  ),
);

const pages = 'POST /forms/pdfengines/';
const pdfs: WorstInput[] = [
  {
    route: `${pages}stamp`,
    name: '50 marks on odd pages of 20,000',
    body: () =>
      form(
        marks('stamp', { pages: `odd${',1-'.repeat(900)},!even`, options: '' }),
        upload('a.pdf', pagesPdf(20_000)),
      ),
  },
  {
    route: `${pages}rotate`,
    name: 'odd pages of 20,000',
    body: () =>
      form(field('rotateAngle', '90'), field('rotatePages', 'odd'), upload('a.pdf', pagesPdf(20_000))),
  },
  {
    route: `${pages}split`,
    name: '20,000 pages',
    body: () =>
      form(field('splitMode', 'intervals'), field('splitSpan', '1'), upload('a.pdf', pagesPdf(20_000))),
  },
  {
    route: `${pages}split`,
    name: '400 pages',
    body: () => form(field('splitMode', 'pages'), field('splitSpan', '1-'), upload('a.pdf', pagesPdf(400))),
  },
  {
    route: `${pages}flatten`,
    name: 'a name of the result of 12,000 slashes',
    headers: { 'gotenberg-output-filename': 'a/'.repeat(6_000) },
    body: () => form(pdfEngines.document()),
  },
  {
    route: `${pages}flatten`,
    name: '1,700 headers of a webhook',
    headers: {
      'gotenberg-webhook-url': 'https://example.com/',
      'gotenberg-webhook-error-url': 'https://example.com/',
      'gotenberg-webhook-method': 'GET',
      'gotenberg-webhook-extra-http-headers': json(keys(800, '')),
    },
    body: () => form(pdfEngines.document()),
  },
  {
    route: `${pages}merge`,
    name: '900 files of a page',
    body: () => form(...range(900).map((index) => upload(`${index}.pdf`, pagesPdf(1)))),
  },
  {
    route: `${pages}embed`,
    name: '900 embedded files',
    body: () =>
      form(upload('a.pdf', pagesPdf(1)), ...range(900).map((index) => upload(`${index}.xml`, 'x', 'embeds'))),
  },
  {
    route: `${pages}bookmarks/write`,
    name: 'a MB of objects',
    body: () => form(field('bookmarks', objects(330_000)), upload('a.pdf', pagesPdf(1))),
  },
  {
    route: `${pages}bookmarks/write`,
    name: '60,000 lists',
    body: () => form(field('bookmarks', json(keys(60_000, []))), upload('a.pdf', pagesPdf(1))),
  },
  {
    route: `${pages}bookmarks/write`,
    name: 'nested 330,000 times',
    body: () => form(field('bookmarks', '[{"children":'.repeat(70_000)), upload('a.pdf', pagesPdf(1))),
  },
  {
    route: `${pages}embed`,
    name: 'metadata of 40,000 files',
    body: () =>
      form(
        field('embedsMetadata', json(keys(40_000, { a: 'x' }))),
        upload('a.pdf', pagesPdf(1)),
        upload('a.xml', 'x', 'embeds'),
      ),
  },
  {
    route: `${pages}metadata/write`,
    name: 'a text of a MB',
    body: () =>
      form(field('metadata', json({ Keywords: ','.repeat(0.99 * MB) })), upload('a.pdf', pagesPdf(1))),
  },
  {
    route: `${pages}metadata/write`,
    name: 'a list of 240,000 texts',
    body: () =>
      form(field('metadata', `{"Keywords":[${'"a",'.repeat(0.24 * MB)}"a"]}`), upload('a.pdf', pagesPdf(1))),
  },
  {
    route: `${pages}metadata/read`,
    name: '27 MB of nothing',
    body: () => form(upload('a.pdf', '%PDF-nothing '.repeat(2 * MB))),
  },
  {
    route: `${pages}factur-x`,
    name: 'an invoice of 27 MB',
    body: () =>
      form(
        field('facturxConformanceLevel', 'BASIC'),
        upload('a.pdf', pagesPdf(1)),
        upload('a.xml', '<a>'.repeat(9 * MB), 'facturxXml'),
      ),
  },
  {
    route: 'POST /forms/libreoffice/convert',
    name: 'an archive of 27 MB',
    body: () => latin1(upload('a.docx', 'PK\u0003\u0004nothing '.repeat(2.2 * MB))),
  },
];

const html = 'POST /forms/chromium/convert/html';
const markdown = 'POST /forms/chromium/convert/markdown';
const documents: WorstInput[] = [
  {
    route: html,
    name: 'HTML of 4 million file URLs',
    body: () => form(upload('index.html', 'file:// '.repeat(3.5 * MB)), upload('a.png', 'x'), unprintable),
  },
  {
    route: html,
    name: 'HTML of 28 MB in GB 18030',
    body: () =>
      latin1(
        upload('index.html', `<meta charset=gb18030>${'\u0081\u0030\u0081\u0031'.repeat(7 * MB)}`),
        unprintable,
      ),
  },
  {
    route: html,
    name: 'a header of 28 MB in ISO 2022-JP',
    body: () =>
      latin1(
        upload('index.html', 'x'),
        upload('header.html', `<meta charset=iso-2022-jp>${'\u00ff\u001b$B0!'.repeat(4.6 * MB)}`),
        unprintable,
      ),
  },
  {
    route: html,
    name: 'HTML of 120 MB',
    body: () => form(upload('index.html', 'word '.repeat(24 * MB)), upload('a.png', 'x'), unprintable),
  },
  {
    route: markdown,
    name: '2 million actions',
    body: () => form(upload('index.html', '{{toHTML "a"}}'.repeat(2 * MB)), upload('a.md', 'x'), unprintable),
  },
  {
    route: markdown,
    name: '2 million actions with a file',
    body: () =>
      form(upload('index.html', '{{toHTML "a.md"}}'.repeat(1.7 * MB)), upload('a.md', 'x'), unprintable),
  },
];

/** The forms of Gotenberg that, as far as is known, cost the most. */
export const gotenbergInputs: WorstInput[] = [...routeInputs, ...pdfs, ...documents].map((input) => ({
  contentType,
  ...input,
}));
