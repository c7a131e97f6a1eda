import { PAPER_NAMES, readLength, readPaper, readSide } from './lengths.ts';
import type {
  Band,
  ContentsSettings,
  DocumentSettings,
  ErrorHandling,
  PageSettings,
  Pair,
} from './settings.ts';

/** The settings that a flag can change. */
export interface FlagTarget {
  document: DocumentSettings;
  page: PageSettings;
  contents: ContentsSettings;
}

/** A flag of the command line. */
export interface Flag {
  /** Where it may stand: before all objects, or also after an object, or also after `toc`. */
  area: 'document' | 'page' | 'toc';
  /** How many arguments follow it. */
  arguments: 0 | 1 | 2;
  /** The one letter that stands for it. */
  letter?: string;
  /** Set when the flag changes nothing in Chromium: whether the command says so. */
  isIgnored?: 'silently' | 'with a warning';
  /** The valid arguments, for the error about another one. */
  valid?: readonly string[];
  /** Applies the flag. Returns false if an argument is not valid. */
  apply(target: FlagTarget, first: string, second: string): boolean;
}

type Area = Flag['area'];

/** A flag without arguments. */
function toggle(area: Area, set: (target: FlagTarget) => void, letter?: string): Flag {
  const apply = (target: FlagTarget) => (set(target), true);
  return { area, arguments: 0, apply, ...(letter !== undefined && { letter }) };
}

/** A flag with an argument. `read` returns `undefined` for an argument that is not valid. */
function value<T>(
  area: Area,
  read: (text: string) => T | undefined,
  set: (target: FlagTarget, read: T) => void,
  letter?: string,
): Flag {
  const apply = (target: FlagTarget, text: string) => {
    const parsed = read(text);
    if (parsed === undefined) return false;
    set(target, parsed);
    return true;
  };
  return { area, arguments: 1, apply, ...(letter !== undefined && { letter }) };
}

/** A flag with a name and a value, which may be repeated. */
function pair(set: (page: PageSettings, added: Pair) => void): Flag {
  const apply = ({ page }: FlagTarget, name: string, text: string) => (set(page, [name, text]), true);
  return { area: 'page', arguments: 2, apply };
}

function ignored(count: Flag['arguments'], isIgnored: Flag['isIgnored'] & string, letter?: string): Flag {
  const flag = { area: 'page', arguments: count, isIgnored, apply: () => true } as const;
  return letter === undefined ? flag : { ...flag, letter };
}

const anyText = (text: string): string => text;
const filledText = (text: string): string | undefined => text || undefined;
const readCount = (text: string): number | undefined => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);
const readInteger = (text: string): number | undefined =>
  /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;

function readFactor(text: string): number | undefined {
  const factor = /^\d{0,3}(?:\.\d{1,6})?$/.test(text) && text !== '' ? Number(text) : 0;
  // Chromium prints at 0.1 to 2 times the size, and 0.8 is the size without zoom.
  return factor >= 0.125 && factor <= 2.5 ? factor : undefined;
}

function readOrientation(text: string): boolean | undefined {
  const name = text.toLowerCase();
  return name === 'landscape' || (name === 'portrait' ? false : undefined);
}

function readHandling(text: string): ErrorHandling | undefined {
  return text === 'abort' || text === 'skip' || text === 'ignore' ? text : undefined;
}

function readViewport(text: string): PageSettings['viewport'] {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/i.exec(text) ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}

function readEncoding(text: string): string | undefined {
  try {
    return new TextDecoder(text as Bun.Encoding).encoding;
  } catch {
    return undefined;
  }
}

function readCssLength(text: string): string | undefined {
  return /^\d{1,4}(?:\.\d{1,4})?(?:em|ex|px|pt|mm|cm|in|%)?$/.test(text) ? text : undefined;
}

function bandFlags(name: 'header' | 'footer'): Record<string, Flag> {
  const change = <K extends keyof Band>(key: K) => {
    return ({ page }: FlagTarget, changed: Band[K]) => void (page[name] = { ...page[name], [key]: changed });
  };
  return {
    [`--${name}-left`]: value('page', anyText, change('left')),
    [`--${name}-center`]: value('page', anyText, change('center')),
    [`--${name}-right`]: value('page', anyText, change('right')),
    [`--${name}-html`]: value('page', filledText, change('html')),
    [`--${name}-font-name`]: value('page', filledText, change('fontName')),
    [`--${name}-font-size`]: value('page', readPoints, change('fontSize')),
    [`--${name}-spacing`]: value('page', readMillimetres, change('spacing')),
    [`--${name}-line`]: toggle('page', (target) => change('hasLine')(target, true)),
    [`--no-${name}-line`]: toggle('page', (target) => change('hasLine')(target, false)),
  };
}

function readPoints(text: string): number | undefined {
  const points = /^\d{1,3}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return points >= 1 ? points : undefined;
}

/** Reads a distance, which may be negative. */
function readMillimetres(text: string): number | undefined {
  return /^-?\d{1,4}(?:\.\d{1,4})?$/.test(text) ? Number(text) : undefined;
}

function margin(side: keyof DocumentSettings['margins'], letter: string): Flag {
  return value('document', readLength, ({ document }, read) => void (document.margins[side] = read), letter);
}

/** The flags by their names. */
export const FLAGS: Readonly<Record<string, Flag>> = {
  '--page-size': {
    ...value('document', readPaper, ({ document }, paper) => void (document.paper = paper), 's'),
    valid: PAPER_NAMES,
  },
  '--page-width': value(
    'document',
    readSide,
    ({ document }, width) => void (document.paper = { ...document.paper, width }),
  ),
  '--page-height': value(
    'document',
    readSide,
    ({ document }, height) => void (document.paper = { ...document.paper, height }),
  ),
  '--orientation': value(
    'document',
    readOrientation,
    ({ document }, read) => void (document.landscape = read),
    'O',
  ),
  '--margin-top': margin('top', 'T'),
  '--margin-right': margin('right', 'R'),
  '--margin-bottom': margin('bottom', 'B'),
  '--margin-left': margin('left', 'L'),
  '--grayscale': toggle('document', ({ document }) => void (document.grayscale = true), 'g'),
  '--title': value('document', anyText, ({ document }, title) => void (document.title = title)),
  '--outline': toggle('document', ({ document }) => void (document.outline = true)),
  '--no-outline': toggle('document', ({ document }) => void (document.outline = false)),
  '--outline-depth': value(
    'document',
    readCount,
    ({ document }, depth) => void (document.outlineDepth = depth),
  ),
  '--dump-outline': value('document', filledText, ({ document }, path) => void (document.outlineFile = path)),
  '--cookie-jar': value('document', filledText, ({ document }, path) => void (document.cookieJar = path)),
  '--quiet': toggle('document', ({ document }) => void (document.quiet = true), 'q'),
  '--log-level': value('document', readLogLevel, ({ document }, quiet) => void (document.quiet = quiet)),
  '--read-args-from-stdin': toggle('document', ({ document }) => void (document.readsArguments = true)),
  '--page-offset': value('page', readInteger, ({ document }, offset) => void (document.pageOffset = offset)),
  '--copies': value(
    'document',
    (text) => (text === '1' ? 1 : undefined),
    () => {},
  ),

  '--zoom': value('page', readFactor, ({ page }, zoom) => void (page.zoom = zoom)),
  '--background': toggle('page', ({ page }) => void (page.hasBackground = true)),
  '--no-background': toggle('page', ({ page }) => void (page.hasBackground = false)),
  '--images': toggle('page', ({ page }) => void (page.hasImages = true)),
  '--no-images': toggle('page', ({ page }) => void (page.hasImages = false)),
  '--enable-javascript': toggle('page', ({ page }) => void (page.runsScripts = true)),
  '--disable-javascript': toggle('page', ({ page }) => void (page.runsScripts = false), 'n'),
  '--javascript-delay': value('page', readCount, ({ page }, delay) => void (page.scriptDelayMs = delay)),
  '--window-status': value('page', filledText, ({ page }, status) => void (page.windowStatus = status)),
  '--run-script': value(
    'page',
    anyText,
    ({ page }, script) => void (page.scripts = [...page.scripts, script]),
  ),
  '--print-media-type': toggle('page', ({ page }) => void (page.media = 'print')),
  '--no-print-media-type': toggle('page', ({ page }) => void (page.media = 'screen')),
  '--encoding': value('page', readEncoding, ({ page }, encoding) => void (page.encoding = encoding)),
  '--user-style-sheet': value('page', filledText, ({ page }, url) => void (page.styleSheet = url)),
  '--cookie': pair((page, added) => void (page.cookies = [...page.cookies, added])),
  '--custom-header': pair((page, added) => void (page.headers = [...page.headers, added])),
  '--custom-header-propagation': toggle('page', ({ page }) => void (page.repeatsHeaders = true)),
  '--no-custom-header-propagation': toggle('page', ({ page }) => void (page.repeatsHeaders = false)),
  '--post': pair((page, added) => void (page.postFields = [...page.postFields, added])),
  '--post-file': pair((page, added) => void (page.postFiles = [...page.postFiles, added])),
  '--username': value('page', anyText, ({ page }, name) => void (page.username = name)),
  '--password': value('page', anyText, ({ page }, password) => void (page.password = password)),
  '--proxy': value('page', anyText, ({ page }, proxy) => void (page.proxy = proxy), 'p'),
  '--bypass-proxy-for': value(
    'page',
    filledText,
    ({ page }, host) => void (page.proxyBypass = [...page.proxyBypass, host]),
  ),
  '--load-error-handling': value(
    'page',
    readHandling,
    ({ page }, handling) => void (page.pageErrors = handling),
  ),
  '--load-media-error-handling': value(
    'page',
    readHandling,
    ({ page }, handling) => void (page.mediaErrors = handling),
  ),
  '--enable-local-file-access': toggle('page', ({ page }) => void (page.readsLocalFiles = true)),
  '--disable-local-file-access': toggle('page', ({ page }) => void (page.readsLocalFiles = false)),
  '--allow': value(
    'page',
    filledText,
    ({ page }, path) => void (page.allowedPaths = [...page.allowedPaths, path]),
  ),
  '--enable-smart-shrinking': toggle('page', ({ page }) => void (page.shrinks = true)),
  '--disable-smart-shrinking': toggle('page', ({ page }) => void (page.shrinks = false)),
  '--enable-external-links': toggle('page', ({ page }) => void (page.hasExternalLinks = true)),
  '--disable-external-links': toggle('page', ({ page }) => void (page.hasExternalLinks = false)),
  '--enable-internal-links': toggle('page', ({ page }) => void (page.hasInternalLinks = true)),
  '--disable-internal-links': toggle('page', ({ page }) => void (page.hasInternalLinks = false)),
  '--include-in-outline': toggle('page', ({ page }) => void (page.isInOutline = true)),
  '--exclude-from-outline': toggle('page', ({ page }) => void (page.isInOutline = false)),
  '--viewport-size': value('page', readViewport, ({ page }, viewport) => void (page.viewport = viewport)),
  '--replace': pair((page, added) => void (page.replacements = [...page.replacements, added])),
  '--default-header': toggle('page', ({ page }) => {
    page.header = { ...page.header, left: '[webpage]', right: '[page]/[toPage]', hasLine: true };
  }),
  ...bandFlags('header'),
  ...bandFlags('footer'),

  '--toc-header-text': value('toc', anyText, ({ contents }, heading) => void (contents.heading = heading)),
  '--toc-level-indentation': value(
    'toc',
    readCssLength,
    ({ contents }, length) => void (contents.indentation = length),
  ),
  '--toc-text-size-shrink': value(
    'toc',
    readFactor,
    ({ contents }, shrink) => void (contents.shrink = shrink),
  ),
  '--disable-dotted-lines': toggle('toc', ({ contents }) => void (contents.hasDottedLines = false)),
  '--disable-toc-links': toggle('toc', ({ contents }) => void (contents.hasLinks = false)),
  '--xsl-style-sheet': value('toc', filledText, ({ contents }, path) => void (contents.styleSheet = path)),

  // Chromium has nothing to set: it always compresses, keeps images as they are, and needs no X server.
  '--collate': ignored(0, 'silently'),
  '--no-collate': ignored(0, 'silently'),
  '--dpi': ignored(1, 'silently', 'd'),
  '--image-dpi': ignored(1, 'silently'),
  '--image-quality': ignored(1, 'silently'),
  '--lowquality': ignored(0, 'silently', 'l'),
  '--no-pdf-compression': ignored(0, 'silently'),
  '--use-xserver': ignored(0, 'silently'),
  '--cache-dir': ignored(1, 'silently'),
  '--debug-javascript': ignored(0, 'silently'),
  '--no-debug-javascript': ignored(0, 'silently'),
  '--enable-plugins': ignored(0, 'silently'),
  '--disable-plugins': ignored(0, 'silently'),
  '--stop-slow-scripts': ignored(0, 'silently'),
  '--no-stop-slow-scripts': ignored(0, 'silently'),
  '--resolve-relative-links': ignored(0, 'silently'),
  '--disable-forms': ignored(0, 'silently'),
  '--disable-toc-back-links': ignored(0, 'silently'),
  '--enable-toc-back-links': ignored(0, 'with a warning'),
  '--enable-forms': ignored(0, 'with a warning'),
  '--keep-relative-links': ignored(0, 'with a warning'),
  '--minimum-font-size': ignored(1, 'with a warning'),
  '--checkbox-svg': ignored(1, 'with a warning'),
  '--checkbox-checked-svg': ignored(1, 'with a warning'),
  '--radiobutton-svg': ignored(1, 'with a warning'),
  '--radiobutton-checked-svg': ignored(1, 'with a warning'),
};

function readLogLevel(text: string): boolean | undefined {
  return ['none', 'error', 'warn', 'info'].includes(text) ? text === 'none' || text === 'error' : undefined;
}

/** Finds the name of the flag that a letter stands for. */
export function flagOfLetter(letter: string): string | undefined {
  return Object.entries(FLAGS).find(([, flag]) => flag.letter === letter)?.[0];
}
