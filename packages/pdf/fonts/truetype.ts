import { MAC_GLYPHS } from './glyph-names.ts';
import { GlyphOutline, type Matrix } from './glyph-outline.ts';
import { Bytes } from './bytes.ts';
import { DamagedFont, type Program } from './program.ts';
import { readCharacterMaps, type CharacterMap, type Tables } from './sfnt.ts';

const MAX_COMPONENT_DEPTH = 8;
const MAX_COMPONENTS = 256;

/**
 * A font program with TrueType outlines. The tables `cmap`, `post` and `OS/2` may be missing, as in many
 * embedded programs.
 */
export class TrueTypeProgram implements Program {
  readonly kind = 'truetype';
  readonly complete: boolean;
  readonly glyphCount: number;
  readonly unitsPerEm: number;
  readonly maps: readonly CharacterMap[];
  /** The number of character maps declared in the `cmap` table. */
  readonly mapsDeclared: number;
  readonly #glyf: Bytes;
  readonly #loca: Bytes;
  readonly #longOffsets: boolean;
  readonly #hmtx: Bytes;
  readonly #metrics: number;
  readonly #post: Bytes | undefined;
  #names: Map<string, number> | undefined;

  /**
   * @throws {DamagedFont} if a table that is needed to draw glyphs is missing or truncated, or the font has
   * no widths.
   */
  constructor(tables: Tables, complete = true) {
    this.complete = complete;
    const need = (tag: string): Bytes => {
      const table = tables.get(tag);
      if (!table) throw new DamagedFont(`the font has no ${tag} table`);
      return table;
    };
    const head = need('head');
    this.#loca = need('loca');
    this.#glyf = tables.get('glyf') ?? new Bytes(new Uint8Array());
    this.#hmtx = need('hmtx');
    this.unitsPerEm = head.u16(18) || 1000;
    this.#longOffsets = head.i16(50) !== 0;
    this.glyphCount = need('maxp').u16(4);
    this.#metrics = Math.min(need('hhea').u16(34), Math.floor(this.#hmtx.length / 4));
    if (this.#metrics === 0) throw new DamagedFont('the font has no widths');
    this.#post = tables.get('post');
    const { maps, declared } = readCharacterMaps(tables.get('cmap'));
    this.maps = maps;
    this.mapsDeclared = declared;
  }

  width(glyph: number): number {
    // The last width is also the width of all later glyphs. An index after the last glyph has the width of
    // glyph 0.
    const index = glyph < this.#metrics ? glyph : glyph < this.glyphCount ? this.#metrics - 1 : 0;
    return (this.#hmtx.u16(4 * index) * 1000) / this.unitsPerEm;
  }

  /** Returns the character map for a platform and an encoding, or `undefined` if the font has no such map. */
  map(platform: number, encoding: number): CharacterMap | undefined {
    return this.maps.find((map) => map.platform === platform && map.encoding === encoding);
  }

  /** Returns the glyph of a character from any Unicode map, or 0 if no map contains the character. */
  glyphOfCharacter(point: number): number {
    for (const map of this.maps) {
      const { platform, encoding } = map;
      const unicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
      const found = unicode ? map.glyph(point) : 0;
      if (found !== 0) return found;
    }
    return 0;
  }

  glyphOfName(name: string): number | undefined {
    this.#names ??= readNames(this.#post);
    return this.#names.get(name);
  }

  isValid(glyph: number): boolean {
    return glyph >= 0 && glyph < this.glyphCount;
  }

  hasOutline(glyph: number): boolean {
    return this.#data(glyph) !== undefined;
  }

  outline(glyph: number): GlyphOutline {
    const scale = 1000 / this.unitsPerEm;
    return this.#draw(glyph, 0, { components: MAX_COMPONENTS }).transformed([scale, 0, 0, scale, 0, 0]);
  }

  /** Returns the data of a glyph; `undefined` if the glyph has no outline. */
  #data(glyph: number): Bytes | undefined {
    if (glyph < 0 || glyph >= this.glyphCount) return undefined;
    const size = this.#longOffsets ? 4 : 2;
    if ((glyph + 2) * size > this.#loca.length) return undefined;
    const at = (index: number): number =>
      this.#longOffsets ? this.#loca.u32(4 * index) : 2 * this.#loca.u16(2 * index);
    const from = at(glyph);
    const to = Math.min(at(glyph + 1), this.#glyf.length);
    return to - from >= 10 ? this.#glyf.slice(from, to) : undefined;
  }

  /** @param left the number of components that the whole glyph may still have */
  #draw(glyph: number, depth: number, left: { components: number }): GlyphOutline {
    const outline = new GlyphOutline();
    const data = this.#data(glyph);
    if (!data) return outline;
    const contours = data.i16(0);
    if (contours >= 0) {
      drawContours(outline, data, contours);
      return outline;
    }
    if (depth >= MAX_COMPONENT_DEPTH) throw new DamagedFont('composite glyphs nest too deeply');
    for (const component of readComponents(data)) {
      if (--left.components < 0) throw new DamagedFont('a composite glyph has too many components');
      outline.add(this.#draw(component.glyph, depth + 1, left), component.matrix);
    }
    return outline;
  }
}

interface Component {
  glyph: number;
  matrix: Matrix;
}

// The flags of the components of composite glyphs (ISO/IEC 14496-22 5.3.4).
const WORDS = 1;
const OFFSETS = 2;
const SCALE = 8;
const MORE = 32;
const TWO_SCALES = 64;
const TWO_BY_TWO = 128;

function readComponents(data: Bytes): Component[] {
  const components: Component[] = [];
  let at = 10;
  for (let flags = MORE; (flags & MORE) !== 0 && components.length < MAX_COMPONENTS;) {
    flags = data.u16(at);
    const glyph = data.u16(at + 2);
    at += 4;
    const wide = (flags & WORDS) !== 0;
    const dx = wide ? data.i16(at) : (data.u8(at) << 24) >> 24;
    const dy = wide ? data.i16(at + 2) : (data.u8(at + 1) << 24) >> 24;
    at += wide ? 4 : 2;
    const fraction = (): number => {
      at += 2;
      return data.i16(at - 2) / 16_384;
    };
    let [a, b, c, d] = [1, 0, 0, 1];
    if ((flags & SCALE) !== 0) a = d = fraction();
    else if ((flags & TWO_SCALES) !== 0) [a, d] = [fraction(), fraction()];
    else if ((flags & TWO_BY_TWO) !== 0) [a, b, c, d] = [fraction(), fraction(), fraction(), fraction()];
    // Components that are positioned by matching points are rare, and usually lie at the origin.
    const hasOffsets = (flags & OFFSETS) !== 0;
    components.push({ glyph, matrix: [a, b, c, d, hasOffsets ? dx : 0, hasOffsets ? dy : 0] });
  }
  return components;
}

interface Point {
  x: number;
  y: number;
  on: boolean;
}

function drawContours(outline: GlyphOutline, data: Bytes, contours: number): void {
  if (contours === 0) return;
  const ends = Array.from({ length: contours }, (_, index) => data.u16(10 + 2 * index));
  const count = (ends.at(-1) ?? -1) + 1;
  let at = 10 + 2 * contours;
  at += 2 + data.u16(at);
  const flags: number[] = [];
  while (flags.length < count) {
    const flag = data.u8(at++);
    flags.push(flag);
    if ((flag & 8) === 0) continue;
    for (let repeat = data.u8(at++); repeat > 0 && flags.length < count; repeat--) flags.push(flag);
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -data.u8(at++) : data.u8(at++);
      else if ((flag & same) === 0) {
        value += data.i16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = coordinates(2, 16);
  const ys = coordinates(4, 32);
  let start = 0;
  for (const end of ends) {
    const points: Point[] = [];
    for (let index = start; index <= end; index++)
      points.push({ x: xs[index] ?? 0, y: ys[index] ?? 0, on: ((flags[index] ?? 0) & 1) !== 0 });
    start = Math.max(start, end + 1);
    drawContour(outline, points);
  }
}

function drawContour(outline: GlyphOutline, points: Point[]): void {
  const [head] = points;
  const tail = points.at(-1);
  if (!head || !tail || points.length < 2) return;
  const first = points.findIndex(({ on }) => on);
  const start = first >= 0 ? (points[first] ?? head) : middle(tail, head);
  const ordered = first >= 0 ? [...points.slice(first + 1), ...points.slice(0, first)] : points;
  outline.moveTo(start.x, start.y);
  let control: Point | undefined;
  for (const point of [...ordered, start]) {
    if (point.on) {
      if (control) outline.quadraticTo(control.x, control.y, point.x, point.y);
      else outline.lineTo(point.x, point.y);
      control = undefined;
    } else {
      if (control) {
        const between = middle(control, point);
        outline.quadraticTo(control.x, control.y, between.x, between.y);
      }
      control = point;
    }
  }
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, on: true };
}

/**
 * Indexes glyphs by the names in a `post` table of version 1 or 2 (ISO/IEC 14496-22 5.2.8). If several glyphs
 * have a name, uses the first.
 */
function readNames(post: Bytes | undefined): Map<string, number> {
  const names = new Map<string, number>();
  if (!post || post.length < 32) return names;
  const format = post.u32(0);
  const put = (name: string | undefined, glyph: number): void => {
    if (name !== undefined && !names.has(name)) names.set(name, glyph);
  };
  if (format === 0x1_0000) for (const [glyph, name] of MAC_GLYPHS.entries()) put(name, glyph);
  if (format !== 0x2_0000 || post.length < 34) return names;
  const count = Math.min(post.u16(32), Math.floor((post.length - 34) / 2));
  const stored: string[] = [];
  for (let at = 34 + 2 * count; at < post.length; at += 1 + post.u8(at))
    stored.push(post.data.toString('latin1', at + 1, at + 1 + post.u8(at)));
  for (let glyph = 0; glyph < count; glyph++) {
    const index = post.u16(34 + 2 * glyph);
    put(index < 258 ? MAC_GLYPHS[index] : stored[index - 258], glyph);
  }
  return names;
}
