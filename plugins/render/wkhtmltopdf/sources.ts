import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SCHEME = /^(?:https?|file):/i;

/** Returns the URL of a source: of a local file if there is one, otherwise of a web page. */
export function urlOf(source: string): string {
  if (SCHEME.test(source)) return URL.parse(source)?.href ?? source;
  if (existsSync(source) || source.startsWith('/') || source.startsWith('.'))
    return pathToFileURL(resolve(source)).href;
  return URL.parse(`http://${source}`)?.href ?? pathToFileURL(resolve(source)).href;
}

/** A folder for the documents of one conversion, which only its user can read. */
export class Workspace implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'platen-wkhtmltopdf-'));
  readonly #remove = () => rmSync(this.#folder, { recursive: true, force: true });
  #count = 0;

  constructor() {
    // A signal ends the process without the end of its scopes.
    process.once('exit', this.#remove);
  }

  /** Stores HTML. Returns its path. */
  write(html: string | Uint8Array): string {
    this.#count += 1;
    const path = join(this.#folder, `${this.#count}.html`);
    writeFileSync(path, html);
    return path;
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove);
    this.#remove();
  }
}

/** A declaration of the encoding, in the bytes that browsers search (WHATWG HTML, "prescan"). */
const DECLARATION = /charset\s{0,9}=/i;
const PRESCAN_BYTES = 1024;

/**
 * Returns HTML that declares no encoding as UTF-8 with a byte order mark; `undefined` if it declares one, or
 * if neither the default encoding nor UTF-8 is known to be that of the file.
 */
export function decodeUndeclared(bytes: Buffer, encoding: string | undefined): Buffer | undefined {
  const start = bytes.toString('latin1', 0, PRESCAN_BYTES);
  const hasMark = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(start);
  if (hasMark || DECLARATION.test(start)) return undefined;
  try {
    const text = new TextDecoder((encoding ?? 'utf-8') as Bun.Encoding, {
      fatal: encoding === undefined,
    }).decode(bytes);
    return Buffer.from(`\ufeff${text}`);
  } catch {
    return undefined;
  }
}
