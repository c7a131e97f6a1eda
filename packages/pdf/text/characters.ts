import { RenderingError } from '../objects/index.ts';
import { guard, memoryOf, type PdfiumDocument } from '../pdfium/pdfium-document.ts';
import type { Matrix } from '../watermark/placement.ts';
import { transformedBox, type Corners, type TextBox } from './text-box.ts';

/** A character of a page. */
export interface Character {
  /** One Unicode character, or white space between words. */
  text: string;
  /** Encloses the character and the space that its font leaves above and below it. */
  box: TextBox;
}

/**
 * Whether a font is bold: it says so, it says that it is regular, or only its weight suggests that it is
 * bold.
 */
export type Boldness = 'bold' | 'heavy' | 'regular';

export interface CharacterLine {
  characters: Character[];
  /**
   * How bold the font of the first character is: by its name or its flag, or only by its weight, which may be
   * too high in regular fonts.
   */
  boldness: Boldness;
  /** The name of the font of the first character, without a subset prefix; absent if it is unnamed. */
  font?: string;
  /** Whether the line ends with a hyphen that divides a word. */
  isDivided: boolean;
}

/** The maximum number of characters of a page. */
export const MAX_CHARACTERS = 1_000_000;
const INT_BYTES = 4;
const BOLD_WEIGHT = 600;
/** The flag `ForceBold` of a font descriptor (ISO 32000-1 9.8.2). */
const FORCE_BOLD = 1 << 18;
const BOLD_NAME = /bold|black|heavy/i;
const REGULAR_NAME = /regular|roman|book|light|medium|normal/i;
/**
 * The size of the page for PDFium, which returns integer positions. With this size, they are precise to a
 * fraction of a point.
 */
const DEVICE_SIZE = 1_000_000;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** PDFium's mark for a hyphen that divides a word at the end of a line. */
const DIVIDING_HYPHEN = 2;
/**
 * The text of a glyph without text: a code point that is never a character. Otherwise PDFium would return the
 * code of the glyph.
 */
export const NO_TEXT = '\ufdd0';
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MAX_FONT_NAME_BYTES = 256;
/** Precedes the name of a font of which the file has a subset (ISO 32000-1 9.6.4). */
const SUBSET_PREFIX = /^[A-Z]{6}\+/;

/** The size of a buffer for the name of a font and an integer, or for the four sides of a rectangle. */
const BUFFER_BYTES = MAX_FONT_NAME_BYTES + INT_BYTES;

interface PageSize {
  widthPt: number;
  heightPt: number;
}

/** A page whose text is loaded. */
interface LoadedText {
  pdfium: PdfiumDocument['pdfium'];
  page: number;
  text: number;
  count: number;
}

/**
 * Reads the text of a page in the order of its content, without text outside the page.
 * @throws {RenderingError} if PDFium cannot read the page, or the page has too many characters.
 */
export function readText(document: PdfiumDocument, page: number): string {
  const size = document.sizeOf(page);
  return withText(document, page, (loaded) => {
    if (reachesOutside(loaded, size)) return readLoaded(loaded, size).map(textOf).join('\n');
    const { pdfium, text, count } = loaded;
    return withBuffer(pdfium, 2 * count + 2, (buffer) => {
      const units = Math.max(0, pdfium.FPDFText_GetText(text, 0, count, buffer) - 1);
      const bytes = memoryOf(pdfium).slice(buffer, buffer + 2 * units);
      return Buffer.from(bytes.buffer)
        .toString('utf16le')
        .replaceAll(NO_TEXT, '')
        .replaceAll('\u0002', '-\n')
        .replaceAll('\r\n', '\n');
    });
  });
}

export function textOf({ characters }: CharacterLine): string {
  return characters.map(({ text }) => text).join('');
}

/**
 * Reads the lines of a page in the order of its content, with the box of each character and with white space
 * between words. Omits characters outside the page.
 * @throws {RenderingError} if PDFium cannot read the page, or the page has too many characters.
 */
export function readLines(document: PdfiumDocument, page: number): CharacterLine[] {
  const size = document.sizeOf(page);
  return withText(document, page, (loaded) => readLoaded(loaded, size));
}

/**
 * Reads where letters and digits lie in the content of a page, without its annotations, unless they were made
 * part of the content before.
 * @returns the middle of each, in user space: x and y in turn
 * @throws {RenderingError} if PDFium cannot read the page, or the page has too many characters.
 */
export function locateText(document: PdfiumDocument, page: number): number[] {
  return withText(
    document,
    page,
    ({ pdfium, text, count }) =>
      withBuffer(pdfium, BUFFER_BYTES, (buffer) => {
        const places: number[] = [];
        const [left, right, bottom, top] = [buffer, buffer + 8, buffer + 16, buffer + 24];
        for (let index = 0; index < count; index += 1) {
          if (!LETTER_OR_DIGIT.test(toCharacter(pdfium.FPDFText_GetUnicode(text, index)))) continue;
          if (!pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)) continue;
          const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = new Float64Array(memoryOf(pdfium).buffer, buffer, 4);
          places.push((x1 + x2) / 2, (y1 + y2) / 2);
        }
        return places;
      }),
    document.openPage(page),
  );
}

function readLoaded(loaded: LoadedText, size: PageSize): CharacterLine[] {
  const { pdfium, text, count } = loaded;
  return withBuffer(pdfium, BUFFER_BYTES, (buffer) => {
    const toDisplay = displayOf(loaded, buffer, size);
    const lines: CharacterLine[] = [];
    let line: CharacterLine | undefined;
    for (let index = 0; index < count; index += 1) {
      const code = pdfium.FPDFText_GetUnicode(text, index);
      if (code === LINE_FEED || code === CARRIAGE_RETURN) line = undefined;
      if (code === LINE_FEED || code === CARRIAGE_RETURN || code === 0) continue;
      if (code === NO_TEXT.codePointAt(0)) continue;
      const hasBox = pdfium.FPDFText_GetLooseCharBox(text, index, buffer);
      const box = hasBox ? toDisplay(floatsAt(pdfium, buffer)) : EMPTY;
      if (hasBox && isOutside(box, size)) continue;
      if (!line) {
        line = { characters: [], ...faceOf(loaded, index, buffer), isDivided: false };
        lines.push(line);
      }
      line.isDivided = code === DIVIDING_HYPHEN;
      line.characters.push({ text: line.isDivided ? '-' : toCharacter(code), box });
      if (line.isDivided) line = undefined;
    }
    return lines;
  });
}

function isOutside({ x, y, width, height }: TextBox, { widthPt, heightPt }: PageSize): boolean {
  const [across, up] = [x + width / 2, y + height / 2];
  return width > 0 && (across < 0 || across > widthPt || up < 0 || up > heightPt);
}

/** Tells whether a run of text is partly outside the page. */
function reachesOutside(loaded: LoadedText, size: PageSize): boolean {
  const { pdfium, text } = loaded;
  return withBuffer(pdfium, BUFFER_BYTES, (buffer) => {
    const toDisplay = displayOf(loaded, buffer, size);
    const [left, top, right, bottom] = [buffer, buffer + 8, buffer + 16, buffer + 24];
    const runs = pdfium.FPDFText_CountRects(text, 0, -1);
    for (let index = 0; index < runs; index += 1) {
      if (!pdfium.FPDFText_GetRect(text, index, left, top, right, bottom)) continue;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = new Float64Array(memoryOf(pdfium).buffer, buffer, 4);
      const { x, y, width, height } = toDisplay([x1, y1, x2, y2]);
      const { widthPt, heightPt } = size;
      if (x < -1 || y < -1 || x + width > widthPt + 1 || y + height > heightPt + 1) return true;
    }
    return false;
  });
}

const EMPTY: TextBox = { x: 0, y: 0, width: 0, height: 0 };

function toCharacter(code: number): string {
  return code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code);
}

/** Loads the text of a page: of the given one, or of the page with its annotations. */
function withText<T>(
  document: PdfiumDocument,
  index: number,
  read: (loaded: LoadedText) => T,
  opened?: number,
): T {
  const { pdfium } = document;
  return guard(() => {
    const page = opened ?? document.openFlatPage(index);
    const text = pdfium.FPDFText_LoadPage(page);
    if (text === 0) throw new RenderingError('PDFium cannot read the text of a page');
    try {
      const count = Math.max(0, pdfium.FPDFText_CountChars(text));
      if (count > MAX_CHARACTERS)
        throw new RenderingError(`page ${index + 1} has more than ${MAX_CHARACTERS} characters`);
      return read({ pdfium, page, text, count });
    } finally {
      pdfium.FPDFText_ClosePage(text);
    }
  });
}

function withBuffer<T>(pdfium: LoadedText['pdfium'], bytes: number, use: (address: number) => T): T {
  const address = pdfium.pdfium.wasmExports.malloc(bytes);
  if (address === 0) throw new RenderingError('PDFium has no memory for the text');
  try {
    return use(address);
  } finally {
    pdfium.pdfium.wasmExports.free(address);
  }
}

/** Reads the four sides that PDFium writes: left, top, right, bottom. */
function floatsAt(pdfium: LoadedText['pdfium'], address: number): Corners {
  const { buffer } = memoryOf(pdfium);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(buffer, address, 4);
  return [left, top, right, bottom];
}

/**
 * Reads the name and the flags of a font. PDFium's weight comes from `StemV`, which is high in many regular
 * fonts.
 */
function faceOf(
  { pdfium, text }: LoadedText,
  index: number,
  buffer: number,
): Pick<CharacterLine, 'boldness' | 'font'> {
  const flagsAt = buffer + MAX_FONT_NAME_BYTES;
  const length = pdfium.FPDFText_GetFontInfo(text, index, buffer, MAX_FONT_NAME_BYTES, flagsAt);
  const { buffer: memory } = memoryOf(pdfium);
  if (length > 0 && length <= MAX_FONT_NAME_BYTES) {
    const name = Buffer.from(memory, buffer, length - 1).toString('utf8');
    const [flags = 0] = new Int32Array(memory, flagsAt, 1);
    const font = name.replace(SUBSET_PREFIX, '');
    if (BOLD_NAME.test(name) || (flags & FORCE_BOLD) !== 0) return { boldness: 'bold', font };
    if (REGULAR_NAME.test(name)) return { boldness: 'regular', font };
    return { boldness: weightOf({ pdfium, text }, index), font };
  }
  return { boldness: weightOf({ pdfium, text }, index) };
}

function weightOf({ pdfium, text }: Pick<LoadedText, 'pdfium' | 'text'>, index: number): Boldness {
  return pdfium.FPDFText_GetFontWeight(text, index) >= BOLD_WEIGHT ? 'heavy' : 'regular';
}

/** Returns a function from a rectangle in user space to the rectangle on the page as it is displayed. */
function displayOf(
  { pdfium, page }: LoadedText,
  buffer: number,
  { widthPt, heightPt }: PageSize,
): (corners: Corners) => TextBox {
  const at = (x: number, y: number) => {
    pdfium.FPDF_PageToDevice(page, 0, 0, DEVICE_SIZE, DEVICE_SIZE, 0, x, y, buffer, buffer + INT_BYTES);
    const [across = 0, down = 0] = new Int32Array(memoryOf(pdfium).buffer, buffer, 2);
    return [(across / DEVICE_SIZE) * widthPt, (1 - down / DEVICE_SIZE) * heightPt] as const;
  };
  const [step, zero] = [100, at(0, 0)];
  const [right, up] = [at(step, 0), at(0, step)];
  const perUnit = ([x, y]: readonly [number, number]) =>
    [(x - zero[0]) / step, (y - zero[1]) / step] as const;
  const matrix: Matrix = [...perUnit(right), ...perUnit(up), ...zero];
  return (corners) => transformedBox(corners, matrix);
}
