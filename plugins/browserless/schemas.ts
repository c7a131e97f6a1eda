import { fieldGroup, Type, type Static, type TSchema } from '../../src/plugin.ts';

const object = <P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description !== undefined && { description }) });
const oneOf = <T extends string>(...values: T[]) => Type.Union(values.map((value) => Type.Literal(value)));

const MAX_HTML_CHARACTERS = 30_000_000;
const MAX_SCRIPT_CHARACTERS = 200_000;
const MAX_STYLE_CHARACTERS = 1_000_000;
const MAX_URL_CHARACTERS = 4_096;

const Timeout = Type.Integer({
  minimum: 0,
  maximum: 600_000,
  description: 'In milliseconds; 0 means no limit of its own. The limit of a document applies in any case.',
});

const Tag = object({
  url: optional(text(MAX_URL_CHARACTERS)),
  content: optional(Type.String({ maxLength: MAX_STYLE_CHARACTERS })),
});

const ScriptTag = object({
  url: optional(text(MAX_URL_CHARACTERS)),
  content: optional(Type.String({ maxLength: MAX_SCRIPT_CHARACTERS })),
  type: optional(Type.String({ maxLength: 100 })),
  id: optional(Type.String({ maxLength: 200 })),
});

const Cookie = object({
  name: text(200),
  value: Type.String({ maxLength: 4_000 }),
  url: optional(text(MAX_URL_CHARACTERS)),
  domain: optional(text(255)),
  path: optional(text(1_000)),
  secure: optional(Type.Boolean()),
  httpOnly: optional(Type.Boolean()),
  sameSite: optional(oneOf('Strict', 'Lax', 'None')),
  expires: optional(Type.Number({ description: 'Without effect: the page ends with the request.' })),
});

const WaitUntil = oneOf('load', 'domcontentloaded', 'networkidle0', 'networkidle2');

const side = Type.Integer({ minimum: 16, maximum: 8_000 });

const Viewport = object(
  {
    width: side,
    height: side,
    deviceScaleFactor: optional(Type.Number({ minimum: 1, maximum: 4 })),
    isMobile: optional(Type.Literal(false)),
    hasTouch: optional(Type.Literal(false)),
    isLandscape: optional(Type.Boolean({ description: 'Without effect.' })),
  },
  'The window of the page; 800 x 600 when absent.',
);

/** Puppeteer's types of requests that a page may refuse. */
const ResourceType = oneOf(
  ...([
    'document',
    'stylesheet',
    'image',
    'media',
    'font',
    'script',
    'texttrack',
    'xhr',
    'fetch',
    'prefetch',
    'eventsource',
    'websocket',
    'manifest',
    'signedexchange',
    'ping',
    'cspviolationreport',
    'preflight',
    'other',
  ] as const),
);

/** The fields of all routes. */
export const pageFields = fieldGroup('BrowserlessFields', {
  html: optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_HTML_CHARACTERS,
      expected: `a string of 1 to ${MAX_HTML_CHARACTERS} characters`,
      description: 'The HTML of the page. A request has either `html` or `url`.',
    }),
  ),
  url: optional(text(MAX_URL_CHARACTERS, 'The http or https URL of the page.')),
  gotoOptions: optional(
    object({
      waitUntil: optional(Type.Union([WaitUntil, Type.Array(WaitUntil, { maxItems: 4 })])),
      timeout: optional(Timeout),
      referer: optional(text(MAX_URL_CHARACTERS)),
    }),
  ),
  waitForTimeout: optional(
    Type.Integer({ minimum: 0, maximum: 600_000, description: 'How long to wait, in milliseconds.' }),
  ),
  waitForSelector: optional(
    object({
      selector: text(1_000),
      hidden: optional(Type.Boolean()),
      visible: optional(Type.Boolean()),
      timeout: optional(Timeout),
    }),
  ),
  waitForFunction: optional(
    object({
      fn: text(20_000, 'An expression, or a function that is called.'),
      polling: optional(
        Type.Union([oneOf('raf', 'mutation'), Type.Integer({ minimum: 1, maximum: 60_000 })]),
      ),
      timeout: optional(Timeout),
    }),
  ),
  waitForEvent: optional(object({ event: text(200), timeout: optional(Timeout) })),
  bestAttempt: optional(
    Type.Boolean({ description: 'true: the page is used although a wait has timed out.' }),
  ),
  addScriptTag: optional(Type.Array(ScriptTag, { maxItems: 20 })),
  addStyleTag: optional(Type.Array(Tag, { maxItems: 20 })),
  setExtraHTTPHeaders: optional(
    Type.Record(Type.String(), Type.String(), { description: 'Headers of all requests of the page.' }),
  ),
  cookies: optional(Type.Array(Cookie, { maxItems: 50 })),
  authenticate: optional(
    Type.Union(
      [
        object({ username: Type.String({ maxLength: 500 }), password: Type.String({ maxLength: 1_000 }) }),
        Type.Null(),
      ],
      { description: 'Basic authentication for the origin of `url`.' },
    ),
  ),
  userAgent: optional(text(1_000)),
  viewport: optional(Viewport),
  emulateMediaType: optional(oneOf('screen', 'print')),
  setJavaScriptEnabled: optional(Type.Boolean()),
  rejectResourceTypes: optional(Type.Array(ResourceType, { maxItems: 20 })),
  rejectRequestPattern: optional(
    Type.Array(text(500), {
      maxItems: 20,
      description: 'Regular expressions (RE2 syntax). A request whose URL matches one of them fails.',
    }),
  ),
});

const Length = Type.Union([Type.Number({ minimum: 0, maximum: 100_000 }), text(20)], {
  description: 'CSS pixels, or a length in px, in, cm or mm.',
});

const FORMATS = ['letter', 'legal', 'tabloid', 'ledger', 'a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6'] as const;

/** The body of `POST /pdf`. */
export const PdfBody = object({
  ...pageFields,
  options: optional(
    object({
      format: optional(
        text(
          20,
          `Any case of ${FORMATS.join(', ')}; letter when absent. Takes precedence over width and height.`,
        ),
      ),
      width: optional(Length),
      height: optional(Length),
      margin: optional(
        object({
          top: optional(Length),
          right: optional(Length),
          bottom: optional(Length),
          left: optional(Length),
        }),
      ),
      landscape: optional(Type.Boolean()),
      printBackground: optional(Type.Boolean()),
      omitBackground: optional(Type.Boolean()),
      scale: optional(Type.Number({ minimum: 0.1, maximum: 2 })),
      pageRanges: optional(Type.String({ maxLength: 1_000 })),
      displayHeaderFooter: optional(Type.Boolean()),
      headerTemplate: optional(Type.String({ maxLength: 400_000 })),
      footerTemplate: optional(Type.String({ maxLength: 400_000 })),
      preferCSSPageSize: optional(Type.Boolean()),
      tagged: optional(Type.Boolean({ description: 'true when absent.' })),
      outline: optional(Type.Boolean()),
      timeout: optional(Timeout),
      waitForFonts: optional(Type.Boolean({ description: 'Without effect: fonts are always waited for.' })),
    }),
  ),
});

/** The body of `POST /screenshot`. */
export const ScreenshotBody = object({
  ...pageFields,
  selector: optional(text(1_000, 'The image shows the first element that the selector matches.')),
  scrollPage: optional(Type.Boolean({ description: 'true: scrolls to the end and back first.' })),
  options: optional(
    object({
      type: optional(oneOf('png', 'jpeg', 'webp')),
      quality: optional(Type.Integer({ minimum: 1, maximum: 100 })),
      fullPage: optional(Type.Boolean()),
      clip: optional(
        object({
          x: Type.Integer({ minimum: 0, maximum: 100_000 }),
          y: Type.Integer({ minimum: 0, maximum: 100_000 }),
          width: Type.Integer({ minimum: 1, maximum: 100_000 }),
          height: Type.Integer({ minimum: 1, maximum: 100_000 }),
          scale: optional(Type.Literal(1)),
        }),
      ),
      omitBackground: optional(Type.Boolean()),
      encoding: optional(oneOf('binary', 'base64')),
      optimizeForSpeed: optional(Type.Boolean()),
      captureBeyondViewport: optional(Type.Boolean({ description: 'Without effect.' })),
      fromSurface: optional(Type.Boolean({ description: 'Without effect.' })),
    }),
  ),
});

/** The body of `POST /content`. */
export const ContentBody = object(pageFields);

export type PageBody = Static<typeof ContentBody>;
export type PdfBody = Static<typeof PdfBody>;
export type ScreenshotBody = Static<typeof ScreenshotBody>;
