import { AppError } from '../../errors.ts';
import { TimeSlice } from '../../time-slice.ts';
import { SPACE, TAB } from '../../json/json-bytes.ts';

export interface Part {
  name: string;
  /** Whether the part has a file name, or a media type other than `text/plain`. */
  isFile: boolean;
  /** The file name that the client gives, which may be any text; `undefined` if it gives none. */
  fileName: string | undefined;
  /** A view of the body. */
  content: Buffer;
}

/** Merge takes 500 files and a few fields. */
const MAX_PARTS = 1_000;
export const MAX_HEADER_BYTES = 8_192;
/** White space between a boundary and its line break, which mail gateways may add. */
export const MAX_PADDING_BYTES = 64;
const MAX_NAME_CHARACTERS = 100;
/** The bytes that are searched at a time, in well under a millisecond. */
const WINDOW_BYTES = 131_072;

const CRLF = Buffer.from('\r\n');
const DASHES = Buffer.from('--');
const HEADER_END = Buffer.from('\r\n\r\n');

const BOUNDARY = /;[ \t]*boundary=(?:"([^"]*)"|([^";, \t]+))/gi;
/** RFC 2046, 5.1.1. */
const VALID_BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/**
 * Reads the boundary of a multipart body from its Content-Type header (RFC 2046, 5.1.1).
 * @throws {AppError} VALIDATION_ERROR
 */
export function readBoundary(contentType: string): string {
  const [[, quoted, plain] = [], ...more] = contentType.matchAll(BOUNDARY);
  if (more.length > 0) throw malformed('the header Content-Type must have one boundary');
  const boundary = quoted ?? plain ?? '';
  if (!VALID_BOUNDARY.test(boundary))
    throw malformed(
      'the header Content-Type: multipart/form-data must have a boundary of 1 to 70 characters',
    );
  return boundary;
}

/**
 * Splits a multipart/form-data body (RFC 7578) into its parts, in order. The parts are views of the body:
 * nothing is copied. The work is done in slices, between which the service serves other requests.
 *
 * The parser is strict. It rejects text before the first boundary and after the last, bare line feeds,
 * unnamed parts, nested multiparts, transfer encodings, headers over 8 KiB and more than 1,000 parts. When it
 * is tolerant, it accepts text around the parts, every charset, and unknown names of transfer encodings.
 * @throws {AppError} VALIDATION_ERROR, which names the invalid part if there is one
 */
export async function parseMultipart(
  body: Buffer,
  boundary: string,
  { isTolerant = false }: { isTolerant?: boolean } = {},
): Promise<Part[]> {
  const slice = new TimeSlice();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = delimiter.subarray(CRLF.length);
  const parts: Part[] = [];
  const start = isTolerant ? await findStart(body, { first, delimiter, slice }) : 0;
  if (!startsWith(body, start, first)) throw malformed('the body must begin with its boundary');
  let at = start + first.length;
  while (!startsWith(body, at, DASHES)) {
    const partName = `part ${parts.length + 1}`;
    if (parts.length === MAX_PARTS)
      throw malformed(`${partName}: a body can have at most ${MAX_PARTS} parts`);
    const header = readHeader(body, at, partName);
    const { name, isFile, fileName } = readDisposition(header.lines, { partName, isTolerant });
    const end = await find(body, delimiter, header.end, slice);
    if (end < 0) throw malformed(`${quote(name)} is truncated: its closing boundary is missing`);
    parts.push({ name, isFile, fileName, content: body.subarray(header.end, end) });
    at = end + delimiter.length;
    if (slice.isOver) await slice.next();
  }
  const rest = body.subarray(at + DASHES.length);
  if (!isTolerant && rest.length > 0 && !rest.equals(CRLF))
    throw malformed('the body continues after its last boundary');
  return parts;
}

/** Returns where the first boundary begins; 0 if there is none. Text before it belongs to no part. */
async function findStart(
  body: Buffer,
  { first, delimiter, slice }: { first: Buffer; delimiter: Buffer; slice: TimeSlice },
): Promise<number> {
  if (startsWith(body, 0, first)) return 0;
  const found = await find(body, delimiter, 0, slice);
  return found < 0 ? 0 : found + CRLF.length;
}

/** Names a part in an error message. */
export function quote(name: string): string {
  const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
  return `part ${JSON.stringify(shown)}`;
}

function startsWith(body: Buffer, at: number, bytes: Buffer): boolean {
  return body.subarray(at, at + bytes.length).equals(bytes);
}

/** Finds bytes, or returns -1. Yields to the event loop between windows. */
async function find(body: Buffer, bytes: Buffer, from: number, slice: TimeSlice): Promise<number> {
  for (let start = from; start < body.length; start += WINDOW_BYTES) {
    // The bytes may begin in this window and end in the next.
    const index = body.subarray(start, start + WINDOW_BYTES + bytes.length - 1).indexOf(bytes);
    if (index >= 0) return start + index;
    if (slice.isOver) await slice.next();
  }
  return -1;
}

/** Reads the header lines of a part. The boundary ends at `boundaryEnd`; the content begins at `end`. */
export function readHeader(
  body: Buffer,
  boundaryEnd: number,
  partName: string,
): { lines: string[]; end: number } {
  let at = boundaryEnd;
  while (at < boundaryEnd + MAX_PADDING_BYTES && (body[at] === SPACE || body[at] === TAB)) at += 1;
  const area = body.subarray(at, at + MAX_HEADER_BYTES);
  const length = area.indexOf(HEADER_END);
  if (!startsWith(body, at, CRLF) || startsWith(body, at, HEADER_END) || length < 0)
    throw malformed(
      `${partName}: its boundary must be followed by a line break and at most ${MAX_HEADER_BYTES} bytes of headers`,
    );
  const lines = decodeUtf8(area.subarray(CRLF.length, length), partName).split('\r\n');
  return { lines, end: at + length + HEADER_END.length };
}

function decodeUtf8(bytes: Buffer, partName: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', `${partName}: its headers are not valid UTF-8`, { cause });
  }
}

/** Reads the name and kind of a part from its headers. */
export function readDisposition(
  lines: readonly string[],
  { partName, isTolerant }: { partName: string; isTolerant: boolean },
): Omit<Part, 'content'> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const field = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(field) || /[\r\n\0]/.test(line))
      throw malformed(`${partName}: it has a malformed header`);
    if (headers.has(field)) throw malformed(`${partName}: it has the header ${field} more than once`);
    headers.set(field, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = /^form-data[ \t]*(?=;)/i.test(disposition) ? readParameters(disposition) : undefined;
  const name = parameters?.get('name');
  if (!parameters || name === undefined || name === '')
    throw malformed(`${partName}: it must have the header Content-Disposition: form-data; name="…"`);
  const [type = '', ...attributes] = (headers.get('content-type') ?? 'text/plain').toLowerCase().split(';');
  const mediaType = type.trim();
  if (mediaType.startsWith('multipart/')) throw malformed(`${quote(name)} must not be a multipart itself`);
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  const isDecoded = /^(?:base64|quoted-printable)$/i.test(encoding);
  if (isTolerant ? isDecoded : !/^(?:7bit|8bit|binary)$/i.test(encoding))
    throw malformed(`${quote(name)} must not have a Content-Transfer-Encoding`);
  const charsets = attributes.map((text) => text.trim()).filter((text) => text.startsWith('charset='));
  if (charsets.length > 1) throw malformed(`${quote(name)} must have one charset`);
  const [charset] = charsets;
  if (!isTolerant && charset !== undefined && !/^charset="?(?:utf-?8|us-ascii)"?$/.test(charset))
    throw malformed(`${quote(name)} must be UTF-8`);
  const isFile =
    parameters.has('filename') || parameters.has('filename*') || !mediaType.startsWith('text/plain');
  return { name, isFile, fileName: parameters.get('filename') };
}

/** One parameter of a header. Programs escape quotes as `\"`; browsers as `%22`. */
const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^;"\\ \t]+))[ \t]*/y;

/** Reads the parameters of a header. Returns `undefined` if they are malformed or repeated. */
function readParameters(header: string): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  let at = header.indexOf(';');
  while (at < header.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(header);
    const [whole = '', field = '', quoted, plain = ''] = match ?? [];
    if (!match || parameters.has(field.toLowerCase())) return undefined;
    const text = quoted?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plain;
    parameters.set(field.toLowerCase(), text);
    at += whole.length;
  }
  return parameters;
}

function malformed(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}
