/**
 * Packs predefined CMaps in the binary form that pdf.js ships (the folder `cmaps` of the package pdfjs-dist) into the one file that
 * the conversion to PDF/A reads: `bun scripts/pack-cmaps.ts FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the CMaps');
const directory: Record<string, [number, number]> = {};
const parts: Buffer[] = [];
let at = 0;
for (const file of readdirSync(folder).toSorted()) {
  if (!file.endsWith('.bcmap')) continue;
  const data = readFileSync(join(folder, file));
  directory[file.slice(0, -6)] = [at, data.length];
  at += data.length;
  parts.push(data);
}
const head = Buffer.from(JSON.stringify(directory));
const size = Buffer.alloc(4);
size.writeUInt32BE(head.length);
const target = new URL('../packages/pdf/fonts/data/cmaps.br', import.meta.url);
writeFileSync(target, brotliCompressSync(Buffer.concat([size, head, ...parts])));
