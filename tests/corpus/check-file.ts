import type { Static } from '@sinclair/typebox';
import type { InfoResponse } from '../../plugins/pdf-tools/operations/info/schema.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { pdfInfo } from '../support/pdf/pdf.ts';
import {
  checkAttachments,
  checkCompare,
  checkOutline,
  checkProperties,
  checkValidate,
} from './check-changes.ts';
import { checkFlatten, checkMark, checkNumber } from './check-drawing.ts';
import { checkCompress, checkImages, checkText } from './check-extraction.ts';
import { checkPages } from './check-pages.ts';
import { checkProtection } from './check-protection.ts';
import { compare, counted, hasLabels, inspect, taggedText, type Inspected } from './compare.ts';
import { readCorpus, type CorpusFile } from './corpus.ts';
import { faultsOfOtherReaders, recordResults } from './other-readers.ts';

export const CHECKED_OPERATIONS = [
  'info',
  'merge',
  'split',
  'text',
  'images',
  'compress',
  'flatten',
  'number',
  'watermark',
  'stamp',
  'properties',
  'outline',
  'attachments',
  'pages',
  'protect',
  'unlock',
  'compare',
  'validate',
] as const;
type CheckedOperation = (typeof CHECKED_OPERATIONS)[number];

export interface OperationCheck {
  file: string;
  operation: CheckedOperation;
  /** Empty if the operation is correct. */
  faults: string[];
}

/** Loads the PDF operations as the service runs them. */
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

/** The companions that were read, by name. */
const companions = new Map<string, Promise<Inspected>>();

/** The operations to check, and whether other programs read their results. */
interface CheckOptions {
  operations?: readonly CheckedOperation[];
  /** Whether MuPDF, Ghostscript and pyHanko read the results as well. */
  readers?: boolean;
}

/** Checks operations on one file. The companion is the file that is merged with it. */
export async function checkFile(
  service: Sandbox,
  file: CorpusFile,
  companion: string,
  { operations: chosen = CHECKED_OPERATIONS, readers = false }: CheckOptions = {},
): Promise<OperationCheck[]> {
  const pdf = readCorpus(file.name);
  if (!file.sound) return [await checkUnsound(service, file, pdf)];
  const made: Uint8Array[] = [];
  const sandbox = readers ? recordResults(service, made) : service;
  if (!companions.has(companion)) companions.set(companion, inspect(readCorpus(companion)));
  const [seen, other] = await Promise.all([inspect(pdf), companions.get(companion)]);
  if (!other) throw new Error('the companion was not read');
  const checks: OperationCheck[] = [];
  let protection: ReturnType<typeof checkProtection> | undefined;
  const protect = () => (protection ??= checkProtection(sandbox, seen));
  const operations = {
    info: () => checkInfo(sandbox, seen),
    merge: () => checkMerge(sandbox, seen, other),
    split: () => checkSplit(sandbox, seen),
    text: () => checkText(sandbox, pdf),
    images: () => checkImages(sandbox, pdf),
    compress: () => checkCompress(sandbox, pdf),
    flatten: () => checkFlatten(sandbox, pdf),
    number: () => checkNumber(sandbox, pdf),
    watermark: () => checkMark(sandbox, pdf, 'watermark'),
    stamp: () => checkMark(sandbox, pdf, 'stamp'),
    properties: () => checkProperties(sandbox, seen),
    outline: () => checkOutline(sandbox, seen),
    attachments: () => checkAttachments(sandbox, seen),
    pages: () => checkPages(sandbox, seen),
    protect: async () => (await protect()).protect,
    unlock: async () => (await protect()).unlock,
    compare: () => checkCompare(sandbox, seen),
    validate: () => checkValidate(sandbox, seen),
  };
  for (const operation of chosen) {
    const faults = await operations[operation]().catch((error: unknown) => [
      String(error).split('\n').slice(0, 3).join(' '),
    ]);
    // Other readers need passwords for protected files, which checkProtection opens.
    const isOpen = operation !== 'protect' && operation !== 'unlock';
    if (isOpen) faults.push(...(await faultsOfOtherReaders(pdf, made)));
    made.length = 0;
    checks.push({ file: file.name, operation, faults });
  }
  return checks;
}

/**
 * Checks a file that other tools reject or disagree on: the service must return its pages or an error
 * message.
 */
async function checkUnsound(sandbox: Sandbox, { name }: CorpusFile, pdf: Buffer): Promise<OperationCheck> {
  const result = await loadTasks(sandbox).info({ pdf: pdf.toString('base64') });
  const isAnswered = result.ok ? parseInfo(result.value).pages > 0 : result.message !== '';
  return { file: name, operation: 'info', faults: isAnswered ? [] : ['no result'] };
}

/** Parses the result of the task. */
function parseInfo(answer: Uint8Array): Static<typeof InfoResponse> {
  return JSON.parse(new TextDecoder().decode(answer));
}

async function checkInfo(sandbox: Sandbox, { pdf }: Inspected): Promise<string[]> {
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

async function checkMerge(sandbox: Sandbox, one: Inspected, other: Inspected): Promise<string[]> {
  const pdfs = [one.pdf, other.pdf].map((pdf) => pdf.toString('base64'));
  const result = await loadTasks(sandbox).merge({ pdfs });
  if (!result.ok) return [result.message];
  const [a, b] = [one.census, other.census];
  const bookmarks = a.bookmarks + b.bookmarks;
  return compare(result.value.pdf, [...one.images, ...other.images], {
    links: a.links + b.links,
    bookmarks: bookmarks > 0 ? bookmarks + 2 : 0,
    fields: [...a.fields, ...b.fields],
    labels:
      hasLabels(a) || hasLabels(b) ? [...a.labels, ...b.labels] : counted(a.labels.length + b.labels.length),
  });
}

async function checkSplit(sandbox: Sandbox, { pdf, images, census }: Inspected): Promise<string[]> {
  const last = images.length;
  const result = await loadTasks(sandbox).split({ pdf: pdf.toString('base64'), ranges: [[1], [last]] });
  if (!result.ok) return [result.message];
  const labelled = hasLabels(census);
  const faults: string[] = [];
  for (const [index, { pdf: part }] of result.value.entries()) {
    const page = index === 0 ? 0 : last - 1;
    // A file of one page must keep everything. In a longer file, no other program tells which parts belong to
    // a page.
    const whole = last === 1 ? { links: census.links, fields: census.fields } : {};
    const labels = labelled ? census.labels.slice(page, page + 1) : ['1'];
    const image = images[page];
    if (last === 1 && (await taggedText(part)) !== (await taggedText(pdf)))
      faults.push(`part ${index + 1}: its tagged text differs`);
    faults.push(
      ...(await compare(part, image ? [image] : [], { labels, ...whole })).map(
        (fault) => `part ${index + 1}: ${fault}`,
      ),
    );
  }
  return faults;
}
