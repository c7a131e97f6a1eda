import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Real and damaged PDFs of public test suites, in a folder next to the clone; see CONTRIBUTING.md. */
export const corpusFolder = resolve(import.meta.dir, '../../../shared/corpus');

/** A file of the corpus, and the page counts of other tools. */
export interface CorpusFile {
  name: string;
  /** `undefined` if the tool cannot open the file. */
  popplerPages: number | undefined;
  qpdfPages: number | undefined;
  /** Whether both tools open the file and agree, so that every operation must work. */
  sound: boolean;
}

/**
 * Tells whether the corpus is available. Otherwise prints one line.
 * @throws {Error} if it is missing and `REQUIRE_SERVERS=1` is set.
 */
export function requireCorpus(): boolean {
  if (existsSync(join(corpusFolder, 'index.tsv'))) return true;
  const message = 'skipped: the corpus is missing';
  if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(message);
  console.log(message);
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
