/** An object to write. An object with `packedText` can be in an object stream. */
export interface LaidOutObject {
  number: number;
  text: string;
  packedText?: string;
}

/** The places of a PDF's objects, and its trailer. */
export interface Layout {
  /** A table (the default), a stream, or a table with a stream for some objects (ISO 32000-1 7.5.8.4). */
  xref?: 'table' | 'stream' | 'hybrid';
  /** The bytes before the header. */
  before?: string;
  /** The bytes after the last `%%EOF`. */
  after?: string;
  /** Entries that are added to the trailer. */
  trailer?: string;
  /** The entry `Size`: `right` by default, absent, or a wrong number. */
  size?: 'right' | 'absent' | number;
  /** The entry `Prev`: absent by default. */
  prev?: 'self' | 'loop' | number;
  /** The end of the file: `startxref` with the offset (the default), with a wrong offset, or absent. */
  start?: 'right' | 'wrong' | 'absent';
  /** Changes the text of the objects before their offsets are known. */
  change?: (object: LaidOutObject) => LaidOutObject;
  /** Encrypts an object stream. */
  sealPack?: (data: Uint8Array, number: number) => Uint8Array;
}

const PACK = 95;
const XREF_STREAM = 96;
/**
 * Objects from this number on are in the object stream of a hybrid file, in which readers of tables must find
 * the catalog and the pages.
 */
const FIRST_HIDDEN = 6;

/** Writes objects as a PDF. */
export function layOut(given: readonly LaidOutObject[], layout: Layout): Buffer {
  const { xref = 'table', before = '', after = '', size = 'right', prev, start = 'right' } = layout;
  const { trailer = '', change = (object) => object, sealPack = (data) => data } = layout;
  const objects = given.map(change);
  const file = new Text('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n');
  const packed = objects.filter(
    ({ number, packedText }) =>
      packedText !== undefined && (xref === 'stream' || (xref === 'hybrid' && number >= FIRST_HIDDEN)),
  );
  const last = Math.max(...objects.map(({ number }) => number));
  const rightSize = xref === 'table' ? last + 1 : XREF_STREAM + 1;
  for (const object of objects) if (!packed.includes(object)) file.object(object.number, object.text);
  if (packed.length > 0)
    file.object(
      PACK,
      pack(packed, (data) => sealPack(data, PACK)),
    );
  const common = trailer + (size === 'absent' ? '' : `/Size ${size === 'right' ? rightSize : size}`);
  const previous = (own: number) => {
    if (prev === undefined) return '';
    return `/Prev ${prev === 'self' || prev === 'loop' ? own : prev}`;
  };
  let offset = file.length;
  if (xref === 'table') {
    file.add(table(file.offsets));
    file.add(`trailer\n<<${common}${previous(offset)}>>\n`);
    if (prev === 'loop') {
      // Two sections that name each other as their predecessor.
      const second = file.length;
      file.add(`xref\n0 1\n0000000000 65535 f \ntrailer\n<<${common}/Prev ${offset}>>\n`);
      offset = second;
    }
  } else {
    const streamOffset = offset;
    const isHybrid = xref === 'hybrid';
    const data = entriesOf([...file.offsets, [XREF_STREAM, streamOffset]], packed, isHybrid);
    const entries = isHybrid ? '' : common + previous(streamOffset);
    const indexes = packed.flatMap(({ number }) => [number, 1]).join(' ');
    const index = isHybrid ? `/Index[${indexes}]/Size ${rightSize}` : `/Index[0 ${rightSize}]`;
    file.object(
      XREF_STREAM,
      `<</Type/XRef/W[1 4 2]${index}${entries}/Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`,
    );
    if (isHybrid) {
      offset = file.length;
      file.add(table(file.offsets));
      file.add(`trailer\n<<${common}/XRefStm ${streamOffset}${previous(offset)}>>\n`);
    }
  }
  if (start !== 'absent') file.add(`startxref\n${start === 'right' ? offset : offset + 7}\n%%EOF\n`);
  return Buffer.from(before + file.text + after, 'latin1');
}

class Text {
  text: string;
  readonly offsets: [number: number, offset: number][] = [];

  constructor(header: string) {
    this.text = header;
  }

  get length(): number {
    return this.text.length;
  }

  add(text: string): void {
    this.text += text;
  }

  object(number: number, text: string): void {
    this.offsets.push([number, this.length]);
    this.add(`${number} 0 obj\n${text}\nendobj\n`);
  }
}

function table(offsets: readonly (readonly [number, number])[]): string {
  const entries = offsets
    .toSorted(([a], [b]) => a - b)
    .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
  return `xref\n0 1\n0000000000 65535 f \n${entries.join('')}`;
}

function pack(objects: readonly LaidOutObject[], seal: (data: Uint8Array) => Uint8Array): string {
  let bodies = '';
  const head = objects.map(({ number, packedText = '' }) => {
    const entry = `${number} ${bodies.length} `;
    bodies += `${packedText} `;
    return entry;
  });
  const first = head.join('').length;
  const data = seal(Buffer.from(head.join('') + bodies, 'latin1'));
  return `<</Type/ObjStm/N ${objects.length}/First ${first}/Length ${data.length}>>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
}

function entriesOf(
  offsets: readonly (readonly [number, number])[],
  packed: readonly LaidOutObject[],
  onlyPacked: boolean,
): Buffer {
  const places = new Map<number, [type: number, place: number, index: number]>(
    offsets.map(([number, offset]) => [number, [1, offset, 0]]),
  );
  for (const [index, { number }] of packed.entries()) places.set(number, [2, PACK, index]);
  const numbers = onlyPacked
    ? packed.map(({ number }) => number)
    : Array.from({ length: XREF_STREAM + 1 }, (_, number) => number);
  const data = Buffer.alloc(numbers.length * 7);
  for (const [at, number] of numbers.entries()) {
    const [type, place, index] = places.get(number) ?? [0, 0, number === 0 ? 65_535 : 0];
    data[at * 7] = type;
    data.writeUInt32BE(place, at * 7 + 1);
    data.writeUInt16BE(index, at * 7 + 5);
  }
  return data;
}
