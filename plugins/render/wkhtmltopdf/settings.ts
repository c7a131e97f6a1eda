/** The margins of the paper in millimetres. A side without a value gets room for its header or footer. */
export interface PaperMargins {
  top: number | undefined;
  right: number;
  bottom: number | undefined;
  left: number;
}

/** The settings of the whole document. */
export interface DocumentSettings {
  /** The size of the paper in portrait orientation, in millimetres. */
  paper: { width: number; height: number };
  landscape: boolean;
  margins: PaperMargins;
  grayscale: boolean;
  /** The title of the PDF; by default the title of its first page. */
  title: string | undefined;
  outline: boolean;
  outlineDepth: number;
  /** The file that gets the outline as XML. */
  outlineFile: string | undefined;
  quiet: boolean;
  /** A file with cookies for all pages. */
  cookieJar: string | undefined;
  readsArguments: boolean;
  /** The number before that of the first page. */
  pageOffset: number;
}

/** A header or footer: one line of texts, or an HTML document. */
export interface Band {
  left: string;
  center: string;
  right: string;
  /** A local file or a URL. */
  html: string | undefined;
  fontName: string;
  /** In points. */
  fontSize: number;
  hasLine: boolean;
  /** The distance to the content in millimetres. */
  spacing: number;
}

/** What happens when a page or one of its files cannot be loaded. */
export type ErrorHandling = 'abort' | 'skip' | 'ignore';

/** A name and a value, such as those of a cookie. */
export type Pair = readonly [name: string, value: string];

/** The settings of one page object. */
export interface PageSettings {
  zoom: number;
  hasBackground: boolean;
  hasImages: boolean;
  runsScripts: boolean;
  /** The wait after loading, in milliseconds; `undefined` for the default. */
  scriptDelayMs: number | undefined;
  windowStatus: string | undefined;
  scripts: readonly string[];
  media: 'screen' | 'print';
  encoding: string | undefined;
  styleSheet: string | undefined;
  cookies: readonly Pair[];
  headers: readonly Pair[];
  /** Whether every request gets `headers`, or only that of the page. */
  repeatsHeaders: boolean;
  postFields: readonly Pair[];
  postFiles: readonly Pair[];
  username: string | undefined;
  password: string | undefined;
  proxy: string | undefined;
  proxyBypass: readonly string[];
  pageErrors: ErrorHandling;
  mediaErrors: ErrorHandling;
  readsLocalFiles: boolean;
  /** Files and folders that a page may load nevertheless. */
  allowedPaths: readonly string[];
  /** Whether wide content is shrunk to the width of the paper. */
  shrinks: boolean;
  hasExternalLinks: boolean;
  hasInternalLinks: boolean;
  isInOutline: boolean;
  viewport: { width: number; height: number } | undefined;
  header: Band;
  footer: Band;
  replacements: readonly Pair[];
}

/** The settings of a table of contents. */
export interface ContentsSettings {
  heading: string;
  hasDottedLines: boolean;
  hasLinks: boolean;
  /** A CSS length. */
  indentation: string;
  /** The size of the text relative to that of the level above. */
  shrink: number;
  styleSheet: string | undefined;
}

/** A part of the document. */
export interface PageObject {
  kind: 'page' | 'cover' | 'toc';
  /** `-` for standard input, a local file or a URL; empty for a table of contents. */
  source: string;
  page: PageSettings;
  contents: ContentsSettings;
}

/** A command line. */
export interface Invocation {
  document: DocumentSettings;
  objects: readonly PageObject[];
  /** The path of the PDF; `-` for standard output. */
  output: string;
}

const NO_BAND: Band = {
  left: '',
  center: '',
  right: '',
  html: undefined,
  fontName: 'Arial',
  fontSize: 12,
  hasLine: false,
  spacing: 0,
};

/** Returns the settings of a command line without flags. */
export function defaultDocument(): DocumentSettings {
  return {
    paper: { width: 210, height: 297 },
    landscape: false,
    margins: { top: undefined, right: 10, bottom: undefined, left: 10 },
    grayscale: false,
    title: undefined,
    outline: true,
    outlineDepth: 4,
    outlineFile: undefined,
    quiet: false,
    cookieJar: undefined,
    readsArguments: false,
    pageOffset: 0,
  };
}

/** Returns the settings of a page without flags. */
export function defaultPage(): PageSettings {
  return {
    zoom: 1,
    hasBackground: true,
    hasImages: true,
    runsScripts: true,
    scriptDelayMs: undefined,
    windowStatus: undefined,
    scripts: [],
    media: 'screen',
    encoding: undefined,
    styleSheet: undefined,
    cookies: [],
    headers: [],
    repeatsHeaders: false,
    postFields: [],
    postFiles: [],
    username: undefined,
    password: undefined,
    proxy: undefined,
    proxyBypass: [],
    pageErrors: 'abort',
    mediaErrors: 'ignore',
    readsLocalFiles: false,
    allowedPaths: [],
    shrinks: true,
    hasExternalLinks: true,
    hasInternalLinks: true,
    isInOutline: true,
    viewport: undefined,
    header: { ...NO_BAND },
    footer: { ...NO_BAND },
    replacements: [],
  };
}

/** Returns the settings of a table of contents without flags. */
export function defaultContents(): ContentsSettings {
  return {
    heading: 'Table of Contents',
    hasDottedLines: true,
    hasLinks: true,
    indentation: '1em',
    shrink: 0.8,
    styleSheet: undefined,
  };
}

/** Returns a page without header and footer, such as a cover. */
export function withoutBands(page: PageSettings): PageSettings {
  return { ...page, header: { ...NO_BAND }, footer: { ...NO_BAND } };
}

/** Tells whether a header or footer prints anything. */
export function isPrinted({ left, center, right, html, hasLine }: Band): boolean {
  return hasLine || html !== undefined || left + center + right !== '';
}
