import { pagesPdf } from '../pdf/samples.ts';
import { everyBody, json, keys, MB, type WorstInput } from './inputs.ts';

const BOUNDARY = `${'a'.repeat(69)}b`;
const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (parameters: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`name="${name}"`, value);
const file = (name: string, content: string, as = 'files') =>
  part(`name="${as}"; filename="${name}"`, content);
const form = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;

const named = (index: number) => `a${'1'.repeat(980)}${(index * 7_919) % 900}`;
const manyFiles = (extension: string, content: string) =>
  Array.from({ length: 900 }, (_, index) => file(`${named(index)}${extension}`, content));
/** Case folding of a long range takes longer than any other short part of a pattern. */
const slowPattern = `(?i)${'[B-\u{1e942}]'.repeat(150)}`;
const index = (html: string) => file('index.html', html);
const brokenList = `[${'1,'.repeat(0.09 * MB)}x`;
const jsonFields = [
  'failOnHttpStatusCodes',
  'failOnResourceHttpStatusCodes',
  'ignoreResourceHttpStatusDomains',
  'failOnConsoleMessageTypes',
  'cookies',
  'extraHttpHeaders',
  'emulatedMediaFeatures',
];

const chromium: WorstInput[] = [
  {
    route: 'POST /forms/chromium/convert/html',
    name: '900 files with long names',
    body: () => form(index('x'), ...manyFiles('.css', '')),
  },
  {
    route: 'POST /forms/chromium/convert/html',
    name: '9 MB of file: URLs',
    body: () => form(index('file://\n'.repeat(1.1 * MB)), file('a.css', ''), field('scale', '5')),
  },
  {
    route: 'POST /forms/chromium/convert/html',
    name: '29 MB of Windows-1252',
    body: () => Buffer.from(form(index(`\u00e9${'x'.repeat(29 * MB)}`), field('scale', '5')), 'latin1'),
  },
  {
    route: 'POST /forms/chromium/convert/markdown',
    name: 'a million actions',
    body: () => form(index('{{/**/}}'.repeat(MB)), file('a.md', 'x')),
  },
  {
    route: 'POST /forms/chromium/convert/url',
    name: 'slow patterns of headers',
    body: () =>
      form(
        field('url', 'http://127.0.0.1/'),
        field(
          'extraHttpHeaders',
          json(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, `x;scope=${slowPattern}`]))),
        ),
      ),
  },
  {
    route: 'POST /forms/chromium/screenshot/url',
    name: 'seven lists of 90,000 numbers that are broken',
    body: () => form(...jsonFields.map((name) => field(name, brokenList.slice(0, 0.14 * MB)))),
  },
  {
    route: 'POST /forms/chromium/screenshot/html',
    name: 'cookies of 900 KB',
    body: () => form(index('x'), field('cookies', json([keys(50_000)]))),
  },
  {
    route: 'POST /forms/chromium/screenshot/markdown',
    name: '900 names of files',
    body: () => form(index('{{toHTML "a.md"}}'.repeat(900)), ...manyFiles('.md', 'x')),
  },
];

const pdf = () => file('a.pdf', pagesPdf(1));
const engines: [route: string, name: string, body: () => string][] = [
  ['merge', '900 files with long names', () => form(...manyFiles('.pdf', 'x'))],
  [
    'split',
    '900 KB of pages',
    () => form(pdf(), field('splitMode', 'pages'), field('splitSpan', '1,'.repeat(0.45 * MB))),
  ],
  ['flatten', '30 MB of line breaks and dashes', () => form(file('a.pdf', '\r\n--'.repeat(7 * MB)))],
  ['optimize', 'a small file', () => form(pdf())],
  ['convert', 'an unknown format of 900 KB', () => form(pdf(), field('pdfa', 'x'.repeat(0.9 * MB)))],
  ['metadata/write', '900 KB of metadata', () => form(pdf(), field('metadata', json(keys(50_000))))],
  [
    'bookmarks/write',
    '900 KB of bookmarks',
    () =>
      form(pdf(), field('bookmarks', json(Array.from({ length: 30_000 }, () => ({ title: 'x', page: 1 }))))),
  ],
  ['encrypt', 'a password of 900 KB', () => form(pdf(), field('userPassword', 'x'.repeat(0.9 * MB)))],
  [
    'embed',
    '900 files with long names',
    () => form(pdf(), ...Array.from({ length: 900 }, (_, each) => file(named(each), 'x', 'embeds'))),
  ],
  [
    'watermark',
    '900 KB of options',
    () => form(pdf(), field('watermarkSource', 'text'), field('watermarkOptions', json(keys(50_000, 'x')))),
  ],
  [
    'stamp',
    '900 stamps',
    () => form(pdf(), ...Array.from({ length: 900 }, () => field('stampSource', 'text'))),
  ],
  [
    'rotate',
    '900 KB of pages',
    () => form(pdf(), field('rotateAngle', '90'), field('rotatePages', '1-9,'.repeat(0.22 * MB))),
  ],
  ['factur-x', 'an invoice of 30 MB', () => form(pdf(), file('a.xml', '<a>'.repeat(10 * MB), 'facturxXml'))],
  ['metadata/read', 'a name that is a prototype', () => form(file('__proto__.pdf', pagesPdf(1)))],
  [
    'bookmarks/read',
    '100 files',
    () => form(...Array.from({ length: 100 }, (_, each) => file(`${each}.pdf`, 'x'))),
  ],
];

const browserless: WorstInput[] = [
  ...['pdf', 'screenshot', 'content'].flatMap((path) => everyBody(`POST /${path}`)),
  {
    route: 'POST /pdf',
    name: 'slow patterns of URLs',
    body: () => json({ html: 'x', rejectRequestPattern: Array(6).fill(slowPattern.slice(0, 300)) }),
  },
];

const longQuery = `?${'a=1&'.repeat(3_900)}`;

/** The requests of clients of other services that, as far as is known, cost the most. */
export const gotenbergInputs: WorstInput[] = [
  ...chromium.map((input) => ({ ...input, contentType })),
  ...engines.map(([path, name, body]) => ({
    route: `POST /forms/pdfengines/${path}`,
    name,
    body,
    contentType,
  })),
  {
    route: 'POST /forms/libreoffice/convert',
    name: '900 files with long names',
    body: () => form(...manyFiles('.docx', 'x')),
    contentType,
  },
  ...browserless,

  ...['/health', '/version', '/prometheus/metrics'].map((path) => ({
    route: `GET ${path}`,
    name: 'a query of 3,900 pairs',
    path: () => path + longQuery,
  })),
];
