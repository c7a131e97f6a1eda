import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The interactive contents of a file, counted with qpdf. */
export interface Census {
  links: number;
  bookmarks: number;
  /** Widgets of the form by field. */
  fields: string[];
  /** The label of each page. */
  labels: string[];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

interface OutlineJson {
  kids?: OutlineJson[];
}

interface QpdfJson {
  pages: { object: string }[];
  outlines: OutlineJson[];
  acroform: { fields: { fullname: string; value: Json }[] };
  pagelabels: { index: number; label: JsonObject }[];
  qpdf: [unknown, Record<string, { value?: Json; stream?: { dict: Json } }>];
}

const KEYS = ['pages', 'outlines', 'acroform', 'pagelabels', 'qpdf'];

/** Counts links, bookmarks, fields and labels with qpdf. @throws {Error} if qpdf cannot read the file. */
export async function takeCensus(pdf: Uint8Array): Promise<Census> {
  const { pages, outlines, acroform, pagelabels, qpdf }: QpdfJson = JSON.parse(await runQpdf(pdf));
  const objects = qpdf[1];
  const resolve = (value: Json | undefined): Json | undefined =>
    typeof value === 'string' && / \d+ R$/.test(value) ? objects[`obj:${value}`]?.value : value;
  const dictionary = (value: Json | undefined): JsonObject => {
    const resolved = resolve(value);
    return resolved && typeof resolved === 'object' && !Array.isArray(resolved) ? resolved : {};
  };
  const links = pages.flatMap(({ object }) => {
    const annotations = resolve(dictionary(object)['/Annots']);
    return (Array.isArray(annotations) ? annotations : []).filter(
      (annotation) => dictionary(annotation)['/Subtype'] === '/Link',
    );
  });
  return {
    links: links.length,
    bookmarks: countBookmarks(outlines),
    fields: acroform.fields.map(({ fullname }) => fullname),
    labels: labelsOf(pagelabels, pages.length, resolve),
  };
}

async function runQpdf(pdf: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-census-'));
  try {
    const file = join(folder, 'input.pdf');
    await Bun.write(file, pdf);
    const keys = KEYS.map((key) => `--json-key=${key}`);
    const child = Bun.spawn(['qpdf', '--json=2', ...keys, '--json-stream-data=none', file], {
      stderr: 'ignore',
    });
    return await new Response(child.stdout).text();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function countBookmarks(items: readonly OutlineJson[]): number {
  return items.reduce((sum, { kids = [] }) => sum + 1 + countBookmarks(kids), 0);
}

function labelsOf(
  ranges: QpdfJson['pagelabels'],
  pages: number,
  resolve: (value: Json | undefined) => Json | undefined,
): string[] {
  const sorted = [...ranges].sort((a, b) => a.index - b.index);
  return Array.from({ length: pages }, (_, page) => {
    const range = sorted.findLast(({ index }) => index <= page);
    if (!range) return `${page + 1}`;
    const prefix = resolve(range.label['/P']);
    const style = resolve(range.label['/S']);
    const number = Number(resolve(range.label['/St']) ?? 1) + page - range.index;
    // The style is written as it is, because it only has to stay the same.
    return `${typeof prefix === 'string' ? prefix.slice(2) : ''}${style === '/D' ? '' : typeof style === 'string' ? style : '-'}${style ? number : ''}`;
  });
}
