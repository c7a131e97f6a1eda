import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
/** The colour of the border that makes a white page visible on a white background. */
const BORDER = [0xd0, 0xd4, 0xd9] as const;

/**
 * Re-encodes an image with a border and a palette of at most 256 colours (PNG 3rd edition, colour type 3). The colour depth is reduced until
 * the colours fit. This suits pages, which have few colours, but not photographs.
 */
export function toSmallPng(png: Uint8Array): Uint8Array {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  for (let y = 0; y < height; y++) {
    const step = y === 0 || y === height - 1 ? 1 : Math.max(width - 1, 1);
    for (let x = 0; x < width; x += step) data.set(BORDER, (y * width + x) * 4);
  }
  for (let bits = 8; ; bits--) {
    const indexed = index(data, { width, height, bits });
    if (indexed) return write(indexed, { width, height });
  }
}

interface Indexed {
  palette: number[];
  /** Scanlines of palette indices, each preceded by filter type 0 (none). */
  lines: Uint8Array;
}

function index(
  data: Uint8Array,
  { width, height, bits }: { width: number; height: number; bits: number },
): Indexed | undefined {
  const levels = 2 ** bits - 1;
  const reduce = (value: number) => Math.round((Math.round((value / 255) * levels) / levels) * 255);
  const reduced = Uint8Array.from({ length: 256 }, (_, value) => reduce(value));
  const found = new Map<number, number>();
  const lines = new Uint8Array(height * (width + 1));
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 4, pixel * 4 + 3);
    const colour = (reduced[red]! << 16) | (reduced[green]! << 8) | reduced[blue]!;
    let at = found.get(colour);
    if (at === undefined) {
      at = found.size;
      if (at === MAX_COLOURS) return undefined;
      found.set(colour, at);
    }
    lines[pixel + Math.floor(pixel / width) + 1] = at;
  }
  return { palette: [...found.keys()], lines };
}

function write(
  { palette, lines }: Indexed,
  { width, height }: { width: number; height: number },
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
