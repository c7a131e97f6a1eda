import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Real and damaged PDFs of public test suites, in a folder next to the clone; see CONTRIBUTING.md. */
const corpusFolder = resolve(import.meta.dir, '../../../shared/corpus');

/** A file of the corpus, and the page counts of other tools. */
export interface CorpusFile {
  name: string;
  /** `undefined` if the tool cannot open the file. */
  popplerPages: number | undefined;
  qpdfPages: number | undefined;
  /** Whether both tools open the file and agree, so that every operation must work. */
  sound: boolean;
}

let isReported = false;

/** Tells whether the corpus is available. Otherwise prints one line. */
export function requireCorpus(): boolean {
  if (existsSync(join(corpusFolder, 'index.tsv'))) return true;
  if (!isReported) console.log('skipped: the corpus is missing');
  isReported = true;
  return false;
}

/** Reads the index of the corpus. */
export function listCorpus(): CorpusFile[] {
  const [, ...lines] = readFileSync(join(corpusFolder, 'index.tsv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name = '', , poppler, qpdf] = line.split('\t');
    const [popplerPages, qpdfPages] = [poppler, qpdf].map((pages) =>
      pages === '-' ? undefined : Number(pages),
    );
    return { name, popplerPages, qpdfPages, sound: popplerPages !== undefined && popplerPages === qpdfPages };
  });
}

/** Reads a file of the corpus. */
export function readCorpus(name: string): Buffer {
  return readFileSync(join(corpusFolder, name));
}
