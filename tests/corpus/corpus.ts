import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Real and damaged PDFs of public test suites, beside the clone; see CONTRIBUTING.md. */
export const corpusFolder = resolve(import.meta.dir, '../../../shared/corpus');

/** A file of the corpus, and what other tools say of it. */
export interface CorpusFile {
  name: string;
  /** `undefined` where the tool refuses the file. */
  popplerPages: number | undefined;
  qpdfPages: number | undefined;
  /** Both tools open it and agree, so every operation has to work. */
  sound: boolean;
}

/**
 * Tells whether the corpus is there; when it is not, says so on one line.
 * @throws {Error} when it is missing and `REQUIRE_SERVERS=1` makes a skip a failure.
 */
export function requireCorpus(): boolean {
  if (existsSync(join(corpusFolder, 'index.tsv'))) return true;
  const message = 'skipped: the corpus is not there';
  if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(message);
  console.log(message);
  return false;
}

/** Reads the list of the corpus. */
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
