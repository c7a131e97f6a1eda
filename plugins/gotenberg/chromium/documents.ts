import { isUtf8 } from 'node:buffer';
import { AppError, decodeText, TimeSlice } from '../../../src/plugin.ts';
import type { SiblingFile } from '../../render/contract.ts';
import { invalidForm, type FormFile } from '../form/form.ts';

/** The URL that stands for the HTML of a form in the lists of the operator, as in Gotenberg. */
export const HTML_URL = 'file:///tmp/gotenberg/index.html';

/** Files of a form that are no resources of its document. */
const OWN_NAMES = new Set(['index.html', 'header.html', 'footer.html']);

/** As many as a document of `POST /v1/generate` may have. */
const MAX_HTML_BYTES = 30_000_000;
/** How many bytes of HTML without a byte order mark are searched for its encoding, as in browsers. */
const SNIFFED_BYTES = 1_024;
const CHARSET = /charset\s{0,3}=\s{0,3}["']?([\w:-]{1,40})/i;
const FILE_URL = /file:\/\/[^\s"'()<>]*/gi;

/** Returns the files to which the HTML of a form may refer, by their names. */
export function siblingsOf(files: readonly FormFile[]): Map<string, SiblingFile> {
  return new Map(
    files
      .filter(({ field, name }) => field === 'files' && !OWN_NAMES.has(name))
      .map(({ name, content }) => [name, { bytes: content, mediaType: mediaTypeOf(name) }]),
  );
}

/** Returns the media type of an extension. The name itself may be none that a file can have. */
function mediaTypeOf(name: string): string {
  const [extension = ''] = /\.[a-z\d]{1,20}$/i.exec(name) ?? [];
  return Bun.file(`file${extension}`).type;
}

/**
 * Decodes HTML: UTF-8, or else the encoding that it declares.
 * @throws {AppError} VALIDATION_ERROR for a file that is too large
 */
export async function decodeHtml({
  name,
  content: bytes,
}: Pick<FormFile, 'name' | 'content'>): Promise<string> {
  if (bytes.length > MAX_HTML_BYTES)
    throw invalidForm([`form file '${name}' is larger than ${MAX_HTML_BYTES} bytes`]);
  if (isUtf8(bytes)) return decodeText(bytes);
  const start = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  const label = bytes[0] === 0xff || bytes[0] === 0xfe ? 'utf-16' : CHARSET.exec(start)?.[1];
  return decoderFor(bytes[0] === 0xfe ? 'utf-16be' : (label ?? 'windows-1252')).decode(bytes);
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
  if (names.size === 0 || !/file:/i.test(html)) return html;
  const slice = new TimeSlice();
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: url, index } of html.matchAll(FILE_URL)) {
    pieces.push(html.slice(from, index), relativeUrl(url, names));
    from = index + url.length;
    if (slice.isOver) await slice.next();
  }
  return pieces.join('') + html.slice(from);
}

function relativeUrl(url: string, names: ReadonlySet<string>): string {
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
