import { deflateSync, crc32 } from 'node:zlib';
import { PNG } from 'pngjs';

const COLOURS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Rewrites a PNG with a palette of 256 of its colours, which takes about half the space for a screenshot. Drops transparency. */
export function withPalette(image: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(image);
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choosePalette(counts);
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0, to = 0; at < data.length; at += 4) {
    // Each row begins with the number of its filter: none.
    if ((at / 4) % width === 0) to += 1;
    const colour = data.readUIntBE(at, 3);
    let index = indexes.get(colour);
    if (index === undefined) {
      index = nearest(palette, colour);
      indexes.set(colour, index);
    }
    rows[to] = index;
    to += 1;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => colours.writeUIntBE(colour, index * 3, 3));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Chooses the most frequent colour of each region of the colour space, so that small accents keep theirs, then the most frequent others. */
function choosePalette(counts: ReadonlyMap<number, number>): number[] {
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
  const regions = new Map<number, number>();
  for (const colour of frequent) {
    const region = colour & 0xe0e0e0;
    if (!regions.has(region)) regions.set(region, colour);
  }
  return [...new Set([...[...regions.values()].slice(0, COLOURS / 2), ...frequent])].slice(0, COLOURS);
}

function nearest(palette: number[], colour: number): number {
  let best = 0;
  let smallest = Infinity;
  for (const [index, candidate] of palette.entries()) {
    const distance =
      ((candidate >> 16) - (colour >> 16)) ** 2 +
      (((candidate >> 8) & 255) - ((colour >> 8) & 255)) ** 2 +
      ((candidate & 255) - (colour & 255)) ** 2;
    if (distance < smallest) {
      smallest = distance;
      best = index;
    }
  }
  return best;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
