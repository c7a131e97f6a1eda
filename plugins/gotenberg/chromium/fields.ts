import { Type } from '../../../src/plugin.ts';
import { bool, choice, custom, duration, file, integer, json, number, text } from '../form/fields.ts';
import { parseGoInt } from '../form/go-syntax.ts';
import { documentedOnce } from '../pdf-engines/fields.ts';
import { readCookies } from './cookies.ts';
import { readHeaders, readUserAgent } from './headers.ts';
import { parseInches } from './lengths.ts';
import { readStatusCodes, readStringMap, readStrings } from './json-values.ts';

const JsonText = Type.String({ contentMediaType: 'application/json' });

/** An absent `userAgent`, `waitForExpression` and the like is an empty text, as in Gotenberg. */
const none = { default: '' } as const;

/** The fields that all Chromium routes have. */
export const pageFields = documentedOnce('GotenbergPage', {
  skipNetworkIdleEvent: bool({
    description: 'False: the page is complete once no request has been pending for 500 ms.',
    default: true,
  }),
  skipNetworkAlmostIdleEvent: bool({
    description: 'False: the page is complete once at most two requests have been pending for 500 ms.',
    default: true,
  }),
  failOnHttpStatusCodes: json({
    subject: 'failOnHttpStatusCodes',
    description:
      'A JSON array of the statuses of the web page that give 409. 499 stands for 400 to 499, 599 for 500 to 599, and so on. By default [499,599].',
    default: [499, 599],
    check: readStatusCodes,
  }),
  failOnResourceHttpStatusCodes: json({
    subject: 'failOnResourceHttpStatusCodes',
    description: 'A JSON array of the statuses of resources that give 409, as in failOnHttpStatusCodes.',
    default: [],
    check: readStatusCodes,
  }),
  ignoreResourceHttpStatusDomains: json({
    subject: 'ignoreResourceHttpStatusDomains',
    description: 'A JSON array of domains whose resources failOnResourceHttpStatusCodes does not concern.',
    default: [],
    check: readStrings,
  }),
  failOnResourceLoadingFailed: bool({
    description: 'A resource that cannot be loaded gives 409.',
    default: false,
  }),
  failOnConsoleExceptions: bool({ description: 'A script that throws gives 409.', default: false }),
  failOnConsoleMessageTypes: json({
    subject: 'failOnConsoleMessageTypes',
    description: 'A JSON array of the types of console messages that give 409, such as ["error","warning"].',
    default: [],
    check: readStrings,
  }),
  waitDelay: duration({
    description: 'How long to wait before the page is printed, such as 2.5s.',
    default: 0,
  }),
  waitWindowStatus: text({ description: 'Has no effect, as in Gotenberg.', ...none }),
  waitForExpression: text({
    description: 'A JavaScript expression that must become true before the page is printed.',
    ...none,
  }),
  waitForSelector: text({
    description: 'A CSS selector that must match a visible element before the page is printed.',
    ...none,
  }),
  cookies: custom({
    schema: JsonText,
    description:
      'A JSON array of cookies: `name`, `value` and `domain`, and optionally `path`, `secure`, `httpOnly` and `sameSite`.',
    default: [],
    parse: readCookies,
  }),
  userAgent: custom({
    schema: Type.String(),
    description: 'The User-Agent header of all requests.',
    default: '',
    parse: readUserAgent,
  }),
  extraHttpHeaders: custom({
    schema: JsonText,
    description:
      'A JSON object of headers for all requests. A value may end with `;scope=` and a regular expression (RE2) for the URLs to which the header is sent.',
    default: [],
    parse: readHeaders,
  }),
  emulatedMediaType: choice(['screen', 'print'], {
    fault: "wrong value, expected either 'screen', 'print' or empty",
    description: 'The media type whose styles apply.',
    default: undefined,
  }),
  emulatedMediaFeatures: json<Readonly<Record<string, string>> | undefined>({
    subject: 'emulatedMediaFeatures',
    description: 'A JSON object of media features, such as {"prefers-reduced-motion":"reduce"}.',
    default: undefined,
    check: readStringMap,
  }),
  omitBackground: bool({
    description: 'The page has no white background. A PDF needs printBackground.',
    default: false,
  }),
});

const inches = (description: string, value: number) =>
  custom({
    schema: Type.String({ examples: ['8.5in'] }),
    description: `${description}: inches, or a number with the unit in, cm, mm, pt, px or pc. By default ${value}.`,
    default: value,
    parse: parseInches,
  });

/** The fields of the routes that make a PDF. */
export const printFields = {
  ...pageFields,
  ...documentedOnce('GotenbergPrint', {
    landscape: bool({ description: 'Turns the paper to landscape.', default: false }),
    printBackground: bool({ description: 'Prints the background of the page.', default: false }),
    scale: number({ description: 'The scale of the page, from 0.1 to 2.', default: 1 }),
    singlePage: bool({
      description: 'Prints the content on one page that is as tall as the content.',
      default: false,
    }),
    paperWidth: inches('The width of the paper', 8.5),
    paperHeight: inches('The height of the paper', 11),
    marginTop: inches('The top margin', 0.39),
    marginBottom: inches('The bottom margin', 0.39),
    marginLeft: inches('The left margin', 0.39),
    marginRight: inches('The right margin', 0.39),
    nativePageRanges: text({ description: 'The pages to print, such as 1-5,8. All when empty.', ...none }),
    preferCssPageSize: bool({
      description: 'A size in an @page rule replaces the size of the paper.',
      default: false,
    }),
    generateDocumentOutline: bool({ description: 'Adds an outline of the headings.', default: false }),
    generateTaggedPdf: bool({ description: 'Adds structure tags.', default: false }),
  }),
  headerFile: file({
    name: 'header.html',
    description:
      "header.html is the header of each page, with Chromium's classes pageNumber, totalPages, title, date and url.",
  }),
  footerFile: file({ name: 'footer.html', description: 'footer.html is the footer of each page.' }),
};

/** The fields of the routes that make an image. */
export const screenshotFields = {
  ...pageFields,
  ...documentedOnce('GotenbergScreenshot', {
    width: integer({ description: 'The width of the window in CSS pixels.', default: 800 }),
    height: integer({ description: 'The height of the window in CSS pixels.', default: 600 }),
    clip: bool({ description: 'The image shows the window instead of the whole document.', default: false }),
    selector: text({
      description: 'The image shows the first element that matches this CSS selector.',
      ...none,
    }),
    format: choice(['png', 'jpeg', 'webp'], {
      fault: "wrong value, expected either 'png', 'jpeg' or 'webp'",
      description: 'The format of the image.',
      default: 'png' as const,
    }),
    quality: custom({
      schema: Type.Integer({ minimum: 0, maximum: 100 }),
      description: 'The quality of a JPEG, from 0 to 100.',
      default: 100,
      parse: readQuality,
    }),
    optimizeForSpeed: bool({
      description: 'The image is encoded in less time and more bytes.',
      default: false,
    }),
    deviceScaleFactor: number({ description: 'The number of pixels per CSS pixel.', default: 1 }),
  }),
};

const MAX_QUALITY = 100;

function readQuality(given: string): number {
  const quality = parseGoInt(given);
  if (quality < 0) throw new Error('value is negative');
  if (quality > MAX_QUALITY) throw new Error('value is superior to 100');
  return quality;
}
