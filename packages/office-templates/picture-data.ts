import { decodeXml, type TreeElement } from '@platen/xml';
import { OfficeFault, tagFault } from './fault.ts';
import { childOf, elementsOf } from './tree.ts';
import { readValue, VALUE } from './values.ts';

/** A picture in a file: its bytes, and its size in English Metric Units (914,400 to an inch). */
export interface Picture {
  bytes: Uint8Array;
  type: 'png' | 'jpeg' | 'gif' | 'svg';
  width: number;
  height: number;
  /** The size that the tag asks for, if it does. */
  hasSize: boolean;
  /** The alternative text. */
  alt: string;
}

/** Returns the bytes of an asset, or notes that the filling needs it. */
export type FindAsset = (name: string) => Uint8Array | undefined;

const UNITS: Readonly<Record<string, number>> = {
  mm: 36_000,
  cm: 360_000,
  in: 914_400,
  pt: 12_700,
  px: 9_525,
  '': 9_525,
};
const LENGTH = /^(\d{1,6}(?:\.\d{1,4})?)\s?(mm|cm|in|pt|px|)$/;
/** The largest width of a picture that names none: that of the text on A4. */
const MAX_WIDTH = 160 * 36_000;
const MAX_EMU = 50_000_000;
const MAX_SVG_CHARACTERS = 1_000_000;

/**
 * Reads a picture that a tag asks for; `undefined` if its value is absent, empty, or an asset that is not
 * known yet.
 * @throws {OfficeFault} with the place of the tag
 */
export function readPicture(node: TreeElement, findAsset: FindAsset): Picture | undefined {
  try {
    return read(node, findAsset);
  } catch (error) {
    const place = placeOf(node);
    throw error instanceof OfficeFault && place !== undefined ? tagFault(place, error.message) : error;
  }
}

/** Returns the place of the tag that asks for a picture; `undefined` for a drawing of another helper. */
export function placeOf(node: TreeElement): string | undefined {
  const place = node.attributes.get('place');
  return place === undefined ? undefined : decodeXml(place);
}

function read(node: TreeElement, findAsset: FindAsset): Picture | undefined {
  if (node.name === VALUE) return readDrawing(readValue(node).text, {});
  const given = childOf(node, 'platen:source');
  const source = textOf(given);
  if (source === '') return undefined;
  const size = {
    width: readLength('width', textOf(childOf(node, 'platen:width'))),
    height: readLength('height', textOf(childOf(node, 'platen:height'))),
  };
  const alt = textOf(childOf(node, 'platen:alt'));
  if (given && isDrawing(given)) return { ...readDrawing(source, size), alt };
  const bytes = source.startsWith('data:') ? readDataUrl(source) : findAsset(readAssetName(source));
  return bytes && { ...readBytes(bytes, size), alt };
}

/** Tells whether a helper has made the picture. Drawings in data are not accepted: they can load images. */
function isDrawing({ children }: TreeElement): boolean {
  return children.some((child) => typeof child === 'object' && readValue(child).kind === 'svg');
}

function textOf(node: TreeElement | undefined): string {
  if (!node) return '';
  return node.children
    .map((child) => (typeof child === 'string' ? decodeXml(child) : readValue(child).text))
    .join('')
    .trim();
}

function readLength(name: string, text: string): number | undefined {
  if (text === '') return undefined;
  const [, number = '', unit = ''] = LENGTH.exec(text) ?? [];
  const length = Number(number) * (UNITS[unit] ?? 0);
  if (!(length >= 1 && length <= MAX_EMU))
    throw new OfficeFault(
      `the helper "image" takes a ${name} such as "30mm", "4cm", "2in", "90pt" or "120px", of at most 54 inches, not "${text.slice(0, 40)}"`,
      'tag',
    );
  return Math.round(length);
}

function readAssetName(source: string): string {
  if (!source.startsWith('asset:'))
    throw new OfficeFault(
      `the helper "image" takes "asset:<name>" or a data URL, not "${source.slice(0, 60)}": nothing is loaded from the network`,
      'tag',
    );
  try {
    return decodeURIComponent(source.slice(6)).normalize('NFC');
  } catch {
    return source.slice(6).normalize('NFC');
  }
}

function readDataUrl(source: string): Uint8Array {
  const comma = source.indexOf(',');
  const head = source.slice(0, comma);
  if (comma < 0 || !/^data:image\/[a-z+.-]{1,20};base64$/i.test(head))
    throw new OfficeFault('the helper "image" takes data URLs of the form data:image/png;base64,…', 'tag');
  return new Uint8Array(Buffer.from(source.slice(comma + 1), 'base64'));
}

interface Size {
  width?: number | undefined;
  height?: number | undefined;
}

function readBytes(bytes: Uint8Array, size: Size): Picture {
  const natural = pngSize(bytes) ?? gifSize(bytes) ?? jpegSize(bytes);
  if (!natural) throw new OfficeFault('the helper "image" takes PNG, JPEG and GIF images', 'tag');
  const { type, width, height } = natural;
  return { bytes, type, alt: '', ...fit({ width: width * 9_525, height: height * 9_525 }, size) };
}

function readDrawing(svg: string, size: Size): Picture {
  const head = svg.slice(0, svg.indexOf('>') + 1);
  if (head === '' || svg.length > MAX_SVG_CHARACTERS)
    throw new OfficeFault('the drawing of a helper is too large', 'tag');
  const own = {
    width: Number(/ width="(\d{1,6}(?:\.\d{1,6})?)/.exec(head)?.[1] ?? 0),
    height: Number(/ height="(\d{1,6}(?:\.\d{1,6})?)/.exec(head)?.[1] ?? 0),
  };
  const [, across = '0', down = '0'] =
    / viewBox="0 0 (\d{1,6}(?:\.\d{1,6})?) (\d{1,6}(?:\.\d{1,6})?)"/.exec(head) ?? [];
  const width = (own.width || Number(across) || 100) * 9_525;
  const height = (own.height || Number(down) || 100) * 9_525;
  return { bytes: new TextEncoder().encode(svg), type: 'svg', alt: '', ...fit({ width, height }, size) };
}

/** Returns the size in which a picture is shown. One given side keeps the proportions. */
function fit(natural: { width: number; height: number }, { width, height }: Size) {
  const ratio = natural.height / natural.width;
  if (width !== undefined && height !== undefined) return { width, height, hasSize: true };
  if (width !== undefined) return { width, height: Math.max(1, Math.round(width * ratio)), hasSize: true };
  if (height !== undefined) return { width: Math.max(1, Math.round(height / ratio)), height, hasSize: true };
  const shown = Math.min(natural.width, MAX_WIDTH);
  return { width: Math.round(shown), height: Math.max(1, Math.round(shown * ratio)), hasSize: false };
}

type NaturalSize = Pick<Picture, 'type' | 'width' | 'height'> | undefined;

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function pngSize(bytes: Uint8Array): NaturalSize {
  if (bytes.length < 33 || view(bytes).getUint32(0) !== 0x89504e47) return undefined;
  return checked({ type: 'png', width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) });
}

function gifSize(bytes: Uint8Array): NaturalSize {
  if (bytes.length < 13 || view(bytes).getUint32(0) !== 0x47494638) return undefined;
  const at = view(bytes);
  return checked({ type: 'gif', width: at.getUint16(6, true), height: at.getUint16(8, true) });
}

/** Reads the size from the frame header of a JPEG file (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Uint8Array): NaturalSize {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const at = view(bytes);
  for (let offset = 2; offset + 9 < bytes.length;) {
    if (bytes[offset] !== 0xff) return undefined;
    const marker = bytes[offset + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return checked({ type: 'jpeg', width: at.getUint16(offset + 7), height: at.getUint16(offset + 5) });
    offset += 2 + Math.max(2, at.getUint16(offset + 2));
  }
  return undefined;
}

function checked(size: NonNullable<NaturalSize>): NaturalSize {
  return size.width > 0 && size.height > 0 && size.width < 100_000 && size.height < 100_000
    ? size
    : undefined;
}

/** Tells whether a part of a filled file asks for pictures. */
export function isPicture(node: TreeElement): boolean {
  return node.name === 'platen:image' || (node.name === VALUE && node.attributes.get('k') === 'm');
}

/** Returns the pictures directly in an element. */
export function picturesIn(node: TreeElement): TreeElement[] {
  return elementsOf(node).filter(isPicture);
}
