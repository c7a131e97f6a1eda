/**
 * Packs the predefined CMaps of pdf.js (the folder `cmaps` of the package pdfjs-dist, in its binary format)
 * into the file that the PDF/A conversion reads: `bun scripts/pack-cmaps.ts FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: bun scripts/pack-cmaps.ts FOLDER');
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
