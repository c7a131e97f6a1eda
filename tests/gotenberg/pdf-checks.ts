import { tmpdir } from 'node:os';
import { installVeraPdf } from '../../scripts/servers/verapdf.mjs';
import { popplerEnv } from '../support/pdf/pdf.ts';

/** Runs a program and returns its output with its errors. */
async function outputOf(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { env: popplerEnv, cwd: tmpdir(), stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  return stdout + stderr;
}

export async function pageCount(path: string): Promise<number> {
  return Number(/^Pages: +(\d+)/m.exec(await outputOf(['pdfinfo', path]))?.[1] ?? Number.NaN);
}

/** The size of the first page in points, with its rotation. */
export async function pageSize(path: string): Promise<{ width: number; height: number }> {
  const [, width, height] = /^Page size: +([\d.]+) x ([\d.]+)/m.exec(await outputOf(['pdfinfo', path])) ?? [];
  return { width: Number(width), height: Number(height) };
}

export function pageText(path: string, page: number): Promise<string> {
  return outputOf(['pdftotext', '-f', `${page}`, '-l', `${page}`, path, '-']);
}

export async function needsPassword(path: string): Promise<boolean> {
  return (await outputOf(['pdfinfo', path])).includes('Incorrect password');
}

export async function embeddedFiles(path: string): Promise<string[]> {
  const list = await outputOf(['pdfdetach', '-list', path]);
  return list
    .matchAll(/^\d+: (.*)$/gm)
    .map(([, name = '']) => name)
    .toArray();
}

export async function imageCount(path: string): Promise<number> {
  return (await outputOf(['pdfimages', '-list', path])).trim().split('\n').length - 2;
}

export function metadataText(path: string): Promise<string> {
  return outputOf(['pdfinfo', '-meta', path]);
}

interface QpdfJson {
  qpdf: [unknown, Record<string, { value?: unknown; stream?: { dict: unknown } }>];
}

/** All dictionaries of a file, of objects and within them. */
async function dictionariesOf(path: string): Promise<Record<string, unknown>[]> {
  const { qpdf } = JSON.parse(await outputOf(['qpdf', '--json-output', path, '-'])) as QpdfJson;
  const found: Record<string, unknown>[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      found.push(value as Record<string, unknown>);
      Object.values(value).forEach(visit);
    }
  };
  visit(qpdf[1]);
  return found;
}

export async function annotationCount(path: string): Promise<number> {
  const dictionaries = await dictionariesOf(path);
  return dictionaries.filter((entry) => '/Subtype' in entry && '/Rect' in entry).length;
}

export async function hasOutline(path: string): Promise<boolean> {
  const dictionaries = await dictionariesOf(path);
  // The key Type of the root is optional (ISO 32000-2, 12.3.3); items have a title.
  return dictionaries.some((entry) => '/First' in entry && '/Last' in entry && !('/Title' in entry));
}

/** Tells whether an embedded file has a relationship to the document (ISO 32000-2, 14.13). */
export async function hasRelationship(path: string, name: string, relationship: string): Promise<boolean> {
  const dictionaries = await dictionariesOf(path);
  return dictionaries.some(
    (entry) =>
      entry['/AFRelationship'] === `/${relationship}` &&
      [entry['/UF'], entry['/F']].some((text) => typeof text === 'string' && text.endsWith(name)),
  );
}

const FLAVOURS: Readonly<Record<string, string>> = {
  'PDF/A-1b': '1b',
  'PDF/A-2b': '2b',
  'PDF/A-3b': '3b',
  'PDF/UA-1': 'ua1',
  'PDF/UA-2': 'ua2',
};

/** The number of rules of a standard that a file violates. @throws {Error} if veraPDF cannot read the file */
export async function failedRules(path: string, standard: string): Promise<number> {
  const flavour = FLAVOURS[standard];
  if (flavour === undefined) throw new Error(`unknown standard ${standard}`);
  const report = await outputOf([...installVeraPdf(), '-f', flavour, path]);
  const [, count] = /failedRules="(\d+)"/.exec(report) ?? [];
  if (count === undefined) throw new Error(`veraPDF cannot read the file: ${report.slice(0, 300)}`);
  return Number(count);
}
