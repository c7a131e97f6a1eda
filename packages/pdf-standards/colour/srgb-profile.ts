/**
 * Builds a display profile for sRGB (IEC 61966-2-1) in version 2.1 of the ICC format (ICC.1:1998-09), which
 * PDF/A-1 allows. It has three primaries, adapted to D50, and the sRGB curve in 1,024 steps.
 */
export function srgbProfile(): Uint8Array {
  const curve = curveOf(1024, (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return writeProfile('RGB ', [
    ['desc', description('sRGB')],
    ['cprt', text('No copyright, use freely')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.43607, 0.22249, 0.01392)],
    ['gXYZ', xyz(0.38515, 0.71687, 0.09708)],
    ['bXYZ', xyz(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

/** A tag of an ICC profile: its signature and its data. */
export type Tag = readonly [signature: string, data: Uint8Array];

const HEADER_BYTES = 128;
const TAG_BYTES = 12;

/** Writes a display profile of version 2.1. Stores the data that several tags share once. */
export function writeProfile(space: 'RGB ' | 'GRAY', tags: readonly Tag[]): Uint8Array {
  const table = Buffer.alloc(4 + TAG_BYTES * tags.length);
  table.writeUInt32BE(tags.length);
  const offsets = new Map<Uint8Array, number>();
  const data: Uint8Array[] = [];
  let size = HEADER_BYTES + table.length;
  for (const [index, [signature, bytes]] of tags.entries()) {
    if (!offsets.has(bytes)) {
      const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
      offsets.set(bytes, size);
      data.push(bytes, padding);
      size += bytes.length + padding.length;
    }
    const at = 4 + TAG_BYTES * index;
    table.write(signature, at, 'latin1');
    table.writeUInt32BE(offsets.get(bytes) ?? 0, at + 4);
    table.writeUInt32BE(bytes.length, at + 8);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(0x02100000, 8);
  header.write(`mntr${space}XYZ `, 12, 'latin1');
  for (const [index, part] of [2000, 1, 1, 0, 0, 0].entries()) header.writeUInt16BE(part, 24 + 2 * index);
  header.write('acsp', 36, 'latin1');
  // The illuminant of the profile connection space, D50.
  for (const [index, value] of [0.9642, 1, 0.8249].entries())
    header.writeInt32BE(fixed(value), 68 + 4 * index);
  return Buffer.concat([header, table, ...data]);
}

/** Encodes a function from 0..1 to 0..1 as a curve tag. */
export function curveOf(steps: number, curve: (value: number) => number): Uint8Array {
  const data = tagData('curv', 4 + 2 * steps);
  data.writeUInt32BE(steps, 8);
  for (let step = 0; step < steps; step++) {
    const value = Math.min(Math.max(curve(step / (steps - 1)), 0), 1);
    data.writeUInt16BE(Math.round(value * 65_535), 12 + 2 * step);
  }
  return data;
}

/** Encodes an XYZ colour as a tag. */
export function xyz(x: number, y: number, z: number): Uint8Array {
  const data = tagData('XYZ ', 12);
  for (const [index, value] of [x, y, z].entries()) data.writeInt32BE(fixed(value), 8 + 4 * index);
  return data;
}

/** Encodes ASCII text as a tag. */
export function text(value: string): Uint8Array {
  const data = tagData('text', value.length + 1);
  data.write(value, 8, 'latin1');
  return data;
}

/** Encodes an ASCII description as a tag, with empty Unicode and Macintosh parts. */
export function description(value: string): Uint8Array {
  const data = tagData('desc', 4 + value.length + 1 + 4 + 4 + 2 + 1 + 67);
  data.writeUInt32BE(value.length + 1, 8);
  data.write(value, 12, 'latin1');
  return data;
}

function tagData(type: string, bytes: number): Buffer {
  const data = Buffer.alloc(8 + bytes);
  data.write(type, 0, 'latin1');
  return data;
}

/** Converts a number to s15Fixed16. */
function fixed(value: number): number {
  return Math.round(value * 65_536);
}
