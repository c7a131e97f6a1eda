import type { Static } from '@sinclair/typebox';
import type { InfoAnswer } from '../../plugins/pdf-tools/operations/info/schema.ts';
import type { PNG } from 'pngjs';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  pageCount,
  pdfInfo,
  pdfStructure,
  perceivedDifference,
  qpdfCheck,
  rasterise,
} from '../support/pdf.ts';
import { takeCensus, type Census } from './census.ts';
import { readCorpus, type CorpusFile } from './corpus.ts';

/** What was found wrong with one operation on one file; nothing when it is right. */
export interface Verdict {
  file: string;
  operation: 'info' | 'merge' | 'split';
  faults: string[];
}

const DPI = 36;
const MAX_CHANGED = 0.004;

/** The operations on PDFs, as the service runs them. */
function loadTasks(sandbox: Sandbox) {
  const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);
  const { info } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/info/task.ts')>(
    new URL('info/task.ts', operations),
  );
  const { merge } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/merge/task.ts')>(
    new URL('merge/task.ts', operations),
  );
  const { split } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/split/task.ts')>(
    new URL('split/task.ts', operations),
  );
  return { info, merge, split };
}

/** A file, and what qpdf and poppler see in it. */
interface Seen {
  pdf: Buffer;
  images: PNG[];
  census: Census;
}

const companions = new Map<string, Promise<Seen>>();

async function look(pdf: Buffer): Promise<Seen> {
  const [images, census] = await Promise.all([rasterise(pdf, { dpi: DPI }), takeCensus(pdf)]);
  return { pdf, images, census };
}

/** Judges info, merge (the file and then its companion) and split (first and last page) of one file. */
export async function judge(sandbox: Sandbox, file: CorpusFile, companion: string): Promise<Verdict[]> {
  const pdf = readCorpus(file.name);
  if (!file.sound) return [await judgeUnsound(sandbox, file, pdf)];
  if (!companions.has(companion)) companions.set(companion, look(readCorpus(companion)));
  const [seen, other] = await Promise.all([look(pdf), companions.get(companion)]);
  if (!other) throw new Error('the companion was not read');
  const verdicts: Verdict[] = [];
  const operations = {
    info: () => judgeInfo(sandbox, seen),
    merge: () => judgeMerge(sandbox, seen, other),
    split: () => judgeSplit(sandbox, seen),
  };
  for (const operation of ['info', 'merge', 'split'] as const) {
    const faults = await operations[operation]().catch((error: unknown) => [
      String(error).split('\n').slice(0, 3).join(' '),
    ]);
    verdicts.push({ file: file.name, operation, faults });
  }
  return verdicts;
}

/** A file that other tools refuse, or do not agree on, is answered: with pages, or with what is wrong with it. */
async function judgeUnsound(sandbox: Sandbox, { name }: CorpusFile, pdf: Buffer): Promise<Verdict> {
  const result = await loadTasks(sandbox).info({ pdf: pdf.toString('base64') });
  const answered = result.ok ? parseInfo(result.value).pages > 0 : result.message !== '';
  return { file: name, operation: 'info', faults: answered ? [] : ['no answer'] };
}

/** Parses the answer that the task writes. */
function parseInfo(answer: Uint8Array): Static<typeof InfoAnswer> {
  return JSON.parse(new TextDecoder().decode(answer));
}

async function judgeInfo(sandbox: Sandbox, { pdf }: Seen): Promise<string[]> {
  const result = await loadTasks(sandbox).info({ pdf: pdf.toString('base64') });
  if (!result.ok) return [result.message];
  const value = parseInfo(result.value);
  const expected = await pdfInfo(pdf);
  const ours: Record<string, string> = {
    Pages: `${value.pages}`,
    Title: value.title,
    Author: value.author,
    Subject: value.subject,
    Creator: value.creator,
    Producer: value.producer,
    'PDF version': value.pdf_version,
    Tagged: value.tagged ? 'yes' : 'no',
    Encrypted: value.encrypted ? 'yes' : 'no',
    'File size': `${value.file_size} bytes`,
  };
  const faults = Object.entries(ours).flatMap(([key, own]) => {
    const theirs = (expected[key] ?? '').replace(/^yes .*/, 'yes');
    const plain = own.replaceAll(/\s+/g, ' ').trim();
    return plain === theirs.replaceAll(/\s+/g, ' ') ? [] : [`${key} is "${plain}", not "${theirs}"`];
  });
  const dates = { CreationDate: value.creation_date, ModDate: value.modification_date };
  for (const [key, own] of Object.entries(dates)) {
    const theirs = Date.parse((expected[key] ?? '').replace(/([+-]\d\d)$/, '$1:00'));
    if ((own === null ? Number.NaN : Date.parse(own)) !== theirs && !(own === null && Number.isNaN(theirs)))
      faults.push(`${key} is ${own}, not ${expected[key]}`);
  }
  return faults;
}

async function judgeMerge(sandbox: Sandbox, one: Seen, other: Seen): Promise<string[]> {
  const pdfs = [one.pdf, other.pdf].map((pdf) => pdf.toString('base64'));
  const result = await loadTasks(sandbox).merge({ pdfs });
  if (!result.ok) return [result.message];
  const [a, b] = [one.census, other.census];
  const outlineItems = a.outlineItems + b.outlineItems;
  return compare(result.value, [...one.images, ...other.images], {
    links: a.links + b.links,
    outlineItems: outlineItems > 0 ? outlineItems + 2 : 0,
    fields: [...a.fields, ...b.fields],
    labels:
      hasLabels(a) || hasLabels(b) ? [...a.labels, ...b.labels] : counted(a.labels.length + b.labels.length),
  });
}

async function judgeSplit(sandbox: Sandbox, { pdf, images, census }: Seen): Promise<string[]> {
  const last = images.length;
  const result = await loadTasks(sandbox).split({ pdf: pdf.toString('base64'), ranges: [[1], [last]] });
  if (!result.ok) return [result.message];
  const labelled = hasLabels(census);
  const faults: string[] = [];
  for (const [index, part] of result.value.entries()) {
    const page = index === 0 ? 0 : last - 1;
    // Of a file with one page, the part is the whole; of others, how much of it belongs to a page only the code under test could say.
    const whole = last === 1 ? { links: census.links, fields: census.fields } : {};
    const labels = labelled ? census.labels.slice(page, page + 1) : ['1'];
    const image = images[page];
    if (last === 1 && (await taggedText(part)) !== (await taggedText(pdf)))
      faults.push(`part ${index + 1}: its tagged text is another`);
    faults.push(
      ...(await compare(part, image ? [image] : [], { labels, ...whole })).map(
        (fault) => `part ${index + 1}: ${fault}`,
      ),
    );
  }
  return faults;
}

/** What a reader that goes by the structure reads, in its order; empty for files without. */
async function taggedText(pdf: Uint8Array): Promise<string> {
  const lines = await pdfStructure(pdf);
  return lines
    .filter((line) => /^\s*"/.test(line))
    .map((line) => line.trim())
    .join('\n');
}

function hasLabels({ labels }: Census): boolean {
  return labels.some((label, page) => label !== `${page + 1}`);
}

function counted(pages: number): string[] {
  return Array.from({ length: pages }, (_, page) => `${page + 1}`);
}

async function compare(pdf: Uint8Array, images: PNG[], expected: Partial<Census>): Promise<string[]> {
  const faults: string[] = [];
  const pages = await pageCount(pdf);
  if (pages !== images.length) faults.push(`${pages} pages, not ${images.length}`);
  await qpdfCheck(pdf).catch((error: unknown) =>
    faults.push(String(error).split('\n').slice(0, 4).join(' ')),
  );
  const census = await takeCensus(pdf);
  if (expected.links !== undefined && census.links !== expected.links)
    faults.push(`${census.links} links, not ${expected.links}`);
  if (expected.outlineItems !== undefined && census.outlineItems !== expected.outlineItems)
    faults.push(`${census.outlineItems} outline items, not ${expected.outlineItems}`);
  // Names that were taken are continued, so their number is what must be the same.
  if (expected.fields !== undefined && census.fields.length !== expected.fields.length)
    faults.push(`${census.fields.length} fields, not ${expected.fields.length}`);
  if (expected.labels !== undefined && census.labels.join() !== expected.labels.join())
    faults.push(`labels ${census.labels.join()}, not ${expected.labels.join()}`);
  const difference = perceivedDifference(await rasterise(pdf, { dpi: DPI }), images);
  const changed = difference.pages.filter((page) => page.changed > page.pixels * MAX_CHANGED);
  for (const { page, changed: count, pixels } of changed)
    faults.push(`page ${page}: ${count} of ${pixels} pixels changed`);
  return faults;
}
