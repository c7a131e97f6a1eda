import { PdfDocument } from '../objects/index.ts';

/** An update whose objects are in an object stream, and its faults. */
export interface RawStreamUpdate {
  /** The bodies of the objects by number. */
  packed: Readonly<Record<number, string>>;
  /** The bodies of objects outside the object stream. */
  objects?: Readonly<Record<number, string>>;
  /** Changes the entries of the cross-reference stream: type, place and generation or index. */
  alter?: (entries: Map<number, [number, number, number]>) => void;
  /** Further entries of the dictionary of the object stream. */
  packedEntries?: string;
  /** Encodes the data of the object stream, and of the cross-reference stream. */
  encodePacked?: (data: Buffer) => Buffer;
  encodeSection?: (data: Buffer) => Buffer;
  /** Further entries of the dictionary of the cross-reference stream. */
  sectionEntries?: string;
  /** The entry `W` of the cross-reference stream. */
  widths?: string;
  size?: number;
  /** The reference to the catalog: `1 0 R` by default. */
  root?: string;
}

/**
 * Appends an incremental update with an object stream and a cross-reference stream, as Acrobat and iText
 * write it.
 */
export function appendRawStreams(pdf: Uint8Array, update: RawStreamUpdate): Buffer {
  const { xref, trailer } = PdfDocument.open(pdf);
  const { packed, objects = {}, alter, packedEntries = '', root = '1 0 R' } = update;
  const { sectionEntries = '', widths = '[1 3 2]' } = update;
  const encode = (data: string, encoding: RawStreamUpdate['encodeSection']) =>
    encoding ? encoding(Buffer.from(data, 'latin1')).toString('latin1') : data;
  const numbers = Object.keys(packed).map(Number);
  const known = [
    trailer.number('Size') ?? 0,
    ...[...numbers, ...Object.keys(objects)].map((each) => Number(each) + 1),
  ];
  const container = Math.max(...known);
  const entries = new Map<number, [number, number, number]>([[0, [0, 0, 65_535]]]);
  let text = '\r\n';
  const add = (number: number, body: string) => {
    entries.set(number, [1, pdf.length + text.length, 0]);
    text += `${number} 0 obj\r${body}\rendobj\r`;
  };
  const bodies = numbers.map((number) => `${packed[number]} `);
  let at = 0;
  const header = numbers.map((number, index) => {
    entries.set(number, [2, container, index]);
    const start = at;
    at += bodies[index]?.length ?? 0;
    return `${number} ${start} `;
  });
  const [head, content] = [header.join(''), bodies.join('')];
  const pack = encode(`${head}${content}`, update.encodePacked);
  const dictionary = `<</Type/ObjStm/N ${numbers.length}/First ${head.length}/Length ${pack.length}${packedEntries}>>`;
  for (const [number, body] of Object.entries(objects)) add(Number(number), body);
  add(container, `${dictionary}stream\r\n${pack}\r\nendstream`);
  const offset = pdf.length + text.length;
  entries.set(container + 1, [1, offset, 0]);
  alter?.(entries);
  const sorted = [...entries].toSorted(([a], [b]) => a - b);
  const plain = sorted
    .map(([, [type, place, third]]) =>
      [type, place >>> 16, (place >>> 8) & 255, place & 255, third >>> 8, third & 255]
        .map((byte) => String.fromCharCode(byte & 255))
        .join(''),
    )
    .join('');
  const data = encode(plain, update.encodeSection);
  const index = sorted.map(([number]) => `${number} 1`).join(' ');
  const size = update.size ?? container + 2;
  text += `${container + 1} 0 obj\r<</Type/XRef/Root ${root}/Prev ${xref.offset}/Size ${size}/W${widths}/Index[${index}]/Length ${data.length}${sectionEntries}>>stream\r\n${data}\r\nendstream\rendobj\rstartxref\r\n${offset}\r\n%%EOF\r\n`;
  return Buffer.concat([pdf, Buffer.from(text, 'latin1')]);
}
