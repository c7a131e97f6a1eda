import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream } from './objects.ts';
import { differences, UP_PARAMETERS } from './rows.ts';

/** A serialized object for an object stream. */
export interface PackedObject {
  number: number;
  text: string;
  /** Whether it is an element of a structure tree, or refers to many of them. */
  isStructure: boolean;
}

/** An object stream, and the objects that it contains, in order. */
export interface ObjectPack {
  objects: readonly PackedObject[];
  stream: PdfStream;
}

/** Some readers search a stream from its start for each object. */
const OBJECTS_PER_STREAM = 200;
const ELEMENTS_PER_STREAM = 500;
/**
 * Smaller structure trees are written without a predictor, because some libraries do not support it in object
 * streams.
 */
const MIN_PREDICTED = 500;
const MAX_ROW_BYTES = 512;
/** Each longer object, such as the parent tree of a long document, gets a separate stream. */
const MAX_SHARED_BYTES = 4_096;

/**
 * Puts objects into object streams (ISO 32000-1 7.5.7). The elements of a large structure tree resemble each
 * other, so they get separate streams with a predictor. An element then takes 2 to 4 bytes instead of 12.
 */
export function packObjects(objects: readonly PackedObject[]): ObjectPack[] {
  const structure = objects.filter(({ isStructure }) => isStructure);
  if (structure.length < MIN_PREDICTED)
    return chunks(objects, OBJECTS_PER_STREAM).map((part) => pack(part, inSequence(part)));
  const others = objects.filter(({ isStructure }) => !isStructure);
  const short = structure.filter(({ text }) => text.length < MAX_ROW_BYTES);
  const lists = structure.filter(({ text }) => text.length >= MAX_ROW_BYTES);
  const long = lists.filter(({ text }) => text.length > MAX_SHARED_BYTES);
  const medium = lists.filter(({ text }) => text.length <= MAX_SHARED_BYTES);
  return [
    ...chunks(others, OBJECTS_PER_STREAM).map((part) => pack(part, inSequence(part))),
    ...[...Map.groupBy(short, firstEntry).values()]
      .flatMap((elements) => chunks(elements, ELEMENTS_PER_STREAM))
      .map((part) => smaller(pack(part, inSequence(part)), pack(part, inRows(part)))),
    ...[...chunks(medium, OBJECTS_PER_STREAM), ...long.map((object) => [object])].map((part) =>
      smaller(pack(part, inSequence(part)), pack(part, asReferences(part))),
    ),
  ];
}

/** Returns the first entry of an object, which is the type of an element. */
function firstEntry({ text }: PackedObject): string {
  return text.slice(0, text.indexOf('\n'));
}

function chunks(objects: readonly PackedObject[], size: number): PackedObject[][] {
  const made: PackedObject[][] = [];
  for (let start = 0; start < objects.length; start += size) made.push(objects.slice(start, start + size));
  return made;
}

function smaller(a: ObjectPack, b: ObjectPack): ObjectPack {
  return a.stream.raw.length <= b.stream.raw.length ? a : b;
}

/** The data of an object stream before its compression. */
interface Layout {
  header: string;
  body: string;
  /** The length of a row, if the data consists of rows that resemble each other. */
  rowBytes?: number;
}

function inSequence(objects: readonly PackedObject[]): Layout {
  let header = '';
  let offset = 0;
  for (const { number, text } of objects) {
    header += `${number} ${offset} `;
    offset += text.length + 1;
  }
  return { header, body: objects.map(({ text }) => text).join('\n') };
}

/**
 * Pads each object and each entry of the header to a row of the same length. The length is a multiple of ten,
 * so few digits differ between the offsets of neighbours.
 */
function inRows(objects: readonly PackedObject[]): Layout {
  const longest = Math.max(20, ...objects.map(({ text }) => text.length));
  const rowBytes = 10 * Math.ceil((longest + 1) / 10);
  const header = objects.map(({ number }, index) => `${number} ${index * rowBytes}`.padEnd(rowBytes));
  const body = objects.map(({ text }) => text.padEnd(rowBytes));
  return { header: header.join(''), body: body.join(''), rowBytes };
}

/** Lays out objects that are mainly lists of references, whose numbers usually increase by 1. */
function asReferences(objects: readonly PackedObject[]): Layout {
  const layout = inSequence(objects);
  const middle = layout.body.slice(layout.body.length >> 1);
  const [reference = ''] = / \d+ 0 R(?= )/.exec(middle) ?? [];
  return { ...layout, rowBytes: Math.max(reference.length, 1) };
}

function pack(objects: readonly PackedObject[], { header, body, rowBytes }: Layout): ObjectPack {
  const data = Buffer.from(header + body, 'latin1');
  const dict = Dict.of({
    Type: name('ObjStm'),
    N: objects.length,
    First: header.length,
    Filter: name('FlateDecode'),
    DecodeParms: rowBytes && Dict.of({ ...UP_PARAMETERS, Columns: rowBytes }),
  });
  const raw = deflateSync(rowBytes ? differences(data, rowBytes) : data, { level: 9 });
  return { objects, stream: new PdfStream(dict, raw) };
}
