import type { AssetFileType } from './contract.ts';

/** The types by the endings of names. */
const TYPES_BY_EXTENSION: Readonly<Record<string, AssetFileType>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  avif: 'avif',
  svg: 'svg',
  css: 'css',
  woff2: 'woff2',
  ttf: 'ttf',
  otf: 'otf',
};

/** The names of the types in messages. */
const TYPE_NAMES: Readonly<Record<AssetFileType, string>> = {
  png: 'a PNG image',
  jpeg: 'a JPEG image',
  gif: 'a GIF image',
  webp: 'a WebP image',
  avif: 'an AVIF image',
  svg: 'an SVG image',
  css: 'a style sheet',
  woff2: 'a WOFF2 font',
  ttf: 'a TrueType font',
  otf: 'an OpenType font',
};

const SUPPORTED = 'the supported types are PNG, JPEG, GIF, WebP, AVIF, SVG, CSS, WOFF2, TTF and OTF';

const UNSUPPORTED: readonly (readonly [start: string, name: string])[] = [
  ['wOFF', 'a WOFF font of the first version; convert it to WOFF2'],
  ['ttcf', 'a collection of fonts; upload each font as a separate file'],
  ['%PDF', 'a PDF'],
  ['PK', 'a ZIP file'],
];

/** How many bytes at the start of a file are read to detect a binary type. */
const START_BYTES = 64;

/** Thrown for an asset that is not supported. The message follows the name of the field. */
export class AssetFault extends Error {
  override name = 'AssetFault';
  readonly field: 'name' | 'file';

  constructor(field: 'name' | 'file', message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Determines the type of an asset by its content, and a style sheet also by its name. Runs in the sandbox.
 * @throws {AssetFault}
 */
export function determineType(name: string, content: Uint8Array): AssetFileType {
  const expected = TYPES_BY_EXTENSION[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  const found = detect(content) ?? (expected === 'css' && isText(content) ? 'css' : undefined);
  if (!found) {
    const start = Buffer.from(content.subarray(0, START_BYTES)).toString('latin1');
    const other = UNSUPPORTED.find(([prefix]) => start.startsWith(prefix))?.[1];
    throw new AssetFault('file', other ? `is ${other}` : `is not of a supported type; ${SUPPORTED}`);
  }
  // TrueType and OpenType are two kinds of outlines in the same kind of file, and names often confuse them.
  const isSame = expected === found || [expected, found].every((type) => type === 'ttf' || type === 'otf');
  if (expected && !isSame)
    throw new AssetFault(
      'name',
      `ends like the name of ${TYPE_NAMES[expected]}, but the file is ${TYPE_NAMES[found]}`,
    );
  return found;
}

function detect(content: Uint8Array): AssetFileType | undefined {
  const start = Buffer.from(content.subarray(0, START_BYTES)).toString('latin1');
  if (start.startsWith('\u0089PNG\r\n\u001a\n')) return 'png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'jpeg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp';
  if (start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8))) return 'avif';
  if (start.startsWith('wOF2')) return 'woff2';
  if (start.startsWith('OTTO')) return 'otf';
  if (start.startsWith('\u0000\u0001\u0000\u0000') || start.startsWith('true')) return 'ttf';
  return isText(content) && isSvg(Buffer.from(content.buffer, content.byteOffset, content.length))
    ? 'svg'
    : undefined;
}

function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells whether a text is SVG: its first element is `svg`, after white space, comments, processing
 * instructions and a doctype.
 */
function isSvg(content: Buffer): boolean {
  const text = content.toString('utf8').replace(/^\u{feff}/u, '');
  let at = 0;
  for (;;) {
    at = indexOfNonSpace(text, at);
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at);
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) at = afterDoctype(text, at);
    else return /^<svg[\s>/]/.test(text.slice(at, at + 5));
  }
}

function indexOfNonSpace(text: string, from: number): number {
  const pattern = /\S/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Finds the end of a doctype, which may declare entities in brackets. */
function afterDoctype(text: string, at: number): number {
  const end = text.indexOf('>', at);
  const bracket = text.indexOf('[', at);
  return bracket >= 0 && bracket < end ? after(text, '>', after(text, ']', bracket)) : after(text, '>', at);
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}
