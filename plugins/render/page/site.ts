/** A file beside an HTML document. */
export interface SiblingFile {
  bytes: Uint8Array;
  /** `application/octet-stream` when absent. */
  mediaType?: string | undefined;
}

/** HTML with the files to which it refers by relative URLs. */
export interface SiteDocument {
  html: string;
  files: ReadonlyMap<string, SiblingFile>;
}

/** The parent of the origins at which such documents are loaded. It does not exist. */
const SITES_DOMAIN = '.files.platen.invalid';
const INDEX = '/index.html';
/**
 * How often a document may load all of its files. The browser has one connection to the service, so more
 * would delay other documents.
 */
const MAX_LOADS = 4;
/** Small files may be loaded more often. */
const SMALL_FILES_BYTES = 16_000_000;
/** The length of an origin, which has the text of a UUID, with the slash after it. */
const MAX_ORIGIN_CHARACTERS = 'http://'.length + 36 + SITES_DOMAIN.length + 1;

/**
 * The origin of one document and its files. It exists only in the browser page of the document: the service
 * answers each request to it, before it reaches the network.
 */
export class Site {
  /** Unguessable, so that no other document can name it. */
  readonly origin = `http://${crypto.randomUUID()}${SITES_DOMAIN}`;

  readonly #files: SiteDocument['files'];
  readonly #index: SiblingFile;
  /** How much the document may still load. */
  #leftBytes: number;

  constructor({ html, files }: SiteDocument) {
    this.#files = files;
    this.#index = { bytes: Buffer.from(html), mediaType: 'text/html; charset=utf-8' };
    const bytes = [this.#index, ...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    this.#leftBytes = MAX_LOADS * bytes + SMALL_FILES_BYTES;
  }

  /** The URL of the HTML. */
  get url(): string {
    return this.origin + INDEX;
  }

  /** Tells whether a URL is that of a file, which may be missing. */
  has(url: string): boolean {
    return url.startsWith(`${this.origin}/`);
  }

  /**
   * Returns the file at a URL; `undefined` for a missing one, and once the document has loaded far more than
   * its files contain.
   */
  read(url: string): SiblingFile | undefined {
    const [path = ''] = url.slice(this.origin.length).split(/[?#]/, 1);
    const file = path === INDEX ? this.#index : this.#files.get(decode(path.slice(1)));
    this.#leftBytes -= file?.bytes.length ?? 0;
    return this.#leftBytes < 0 ? undefined : file;
  }
}

/** Tells whether a URL belongs to the files of a document. */
export function isSiteUrl(url: string): boolean {
  return url.startsWith('http://') && url.slice(0, MAX_ORIGIN_CHARACTERS).includes(`${SITES_DOMAIN}/`);
}

/** Presents the URL of a file beside a document as its name; `undefined` for other URLs. */
export function presentSiteUrl(url: string): string | undefined {
  return isSiteUrl(url) ? url.slice(url.indexOf(SITES_DOMAIN) + SITES_DOMAIN.length + 1) : undefined;
}

/** Decodes the path of a URL. Returns the text itself if its percent-encoding is malformed. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
