import { isUtf8 } from 'node:buffer';
import { AppError, decodeText, TimeSlice } from '../../../src/plugin.ts';
import type { SiblingFile } from '../../render/contract.ts';
import { invalidForm, type FormFile } from '../form/form.ts';

/** The URL that stands for the HTML of a form in the lists of the operator, as in Gotenberg. */
export const HTML_URL = 'file:///tmp/gotenberg/index.html';

/** Files of a form that are no resources of its document. */
const OWN_NAMES = new Set(['index.html', 'header.html', 'footer.html']);

/** How many bytes of HTML without a byte order mark are searched for its encoding, as in browsers. */
const SNIFFED_BYTES = 1_024;
const CHARSET = /charset\s{0,3}=\s{0,3}["']?([\w:-]{1,40})/i;
/** The name of a file is shorter, however it is encoded. */
const MAX_URL_CHARACTERS = 4_096;
const FILE_URL = /file:\/\/[^\s"'()<>]{0,4089}/gi;

/** As for documents of other routes. */
const MAX_HTML_BYTES = 30_000_000;
/** The characters or bytes that are read at a time, in a few milliseconds. */
const WINDOW = 65_536;

/** Returns the files to which the HTML of a form may refer, by their names. */
export function siblingsOf(files: readonly FormFile[]): Map<string, SiblingFile> {
  return new Map(
    files
      .filter(({ field, name }) => field === 'files' && !OWN_NAMES.has(name))
      .map(({ name, content }) => [name, { bytes: content, mediaType: Bun.file(name).type }]),
  );
}

/** Decodes HTML: UTF-8, or else the encoding that it declares. @throws {AppError} VALIDATION_ERROR if it is long */
export async function decodeHtml(bytes: Uint8Array): Promise<string> {
  if (bytes.length > MAX_HTML_BYTES)
    throw invalidForm([`an HTML file is larger than ${MAX_HTML_BYTES} bytes`]);
  if (isUtf8(bytes)) return decodeText(bytes);
  const head = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  const label = bytes[0] === 0xff || bytes[0] === 0xfe ? 'utf-16' : CHARSET.exec(head)?.[1];
  const decoder = decoderFor(bytes[0] === 0xfe ? 'utf-16be' : (label ?? 'windows-1252'));
  const slice = new TimeSlice();
  const texts: string[] = [];
  for (let start = 0; start < bytes.length; start += WINDOW) {
    if (slice.isOver) await slice.next();
    texts.push(decoder.decode(bytes.subarray(start, start + WINDOW), { stream: true }));
  }
  return texts.join('') + decoder.decode();
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label as ConstructorParameters<typeof TextDecoder>[0]);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

/** Replaces `file:` URLs that end with the name of a file of the form. The browser opens no others. */
export async function withRelativeUrls(html: string, names: ReadonlySet<string>): Promise<string> {
  if (names.size === 0) return html;
  const slice = new TimeSlice();
  const texts: string[] = [];
  for (let start = 0; start < html.length;) {
    if (slice.isOver) await slice.next();
    // A URL may begin in this window and end in the next.
    const text = html.slice(start, start + WINDOW + MAX_URL_CHARACTERS);
    const pieces: string[] = [];
    let at = 0;
    for (const { 0: url, index } of text.matchAll(FILE_URL)) {
      if (index >= WINDOW) break;
      pieces.push(text.slice(at, index), toRelative(url, names));
      at = index + url.length;
    }
    const end = Math.max(at, Math.min(WINDOW, text.length));
    texts.push(pieces.join('') + text.slice(at, end));
    start += end;
  }
  return texts.join('');
}

function toRelative(url: string, names: ReadonlySet<string>): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return names.has(name) || names.has(decodeName(name)) ? name + url.slice(path.length) : url;
}

/** Reads the URL of a web page. @throws {AppError} VALIDATION_ERROR with Gotenberg's text */
export function readPageUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'file:')
    throw new AppError(
      'VALIDATION_ERROR',
      'file:// URLs are not accepted on this route. Use the /convert/html or /convert/markdown routes to render local HTML',
    );
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new AppError('VALIDATION_ERROR', `Invalid URL: '${text.slice(0, 200)}' is neither http nor https`);
  return url.href;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
