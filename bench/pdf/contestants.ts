import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { PdfSource } from '@platen/pdf';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/**
 * A program that merges files and splits a file into its pages. The measured time includes reading the files
 * and writing the results to the folder.
 */
export interface Contestant {
  name: string;
  merge: (files: readonly string[], folder: string) => Promise<void>;
  split: (file: string, folder: string) => Promise<void>;
}

/** Returns Platen's operations as the service runs them for uploaded files: the sandbox receives and returns bytes. */
export function platen(sandbox: Sandbox): Contestant {
  const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);
  const merging = sandbox.load<typeof import('../../plugins/pdf-tools/operations/merge/task.ts')>(
    new URL('merge/task.ts', operations),
  );
  const splitting = sandbox.load<typeof import('../../plugins/pdf-tools/operations/split/task.ts')>(
    new URL('split/task.ts', operations),
  );
  return {
    name: 'Platen',
    async merge(files, folder) {
      const result = await merging.merge({ pdfs: files.map(readSent) });
      if (!result.ok) throw new Error(result.message);
      writeFileSync(join(folder, 'merged.pdf'), result.value.pdf);
    },
    async split(file, folder) {
      const result = await splitting.split({ pdf: readSent(file), ranges: undefined });
      if (!result.ok) throw new Error(result.message);
      for (const [index, { pdf }] of result.value.entries()) writeFileSync(join(folder, `${index}.pdf`), pdf);
    },
  };
}

/** Reads a file in the form in which the service passes an upload to the sandbox. */
function readSent(file: string): PdfSource {
  return { raw: readFileSync(file) };
}

/** Returns the programs that are on the PATH. */
export function programs(): Contestant[] {
  const all: Contestant[] = [
    {
      name: 'qpdf',
      merge: (files, folder) =>
        run(['qpdf', '--empty', '--pages', ...files, '--', join(folder, 'merged.pdf')]),
      split: (file, folder) => run(['qpdf', '--split-pages', file, join(folder, '%d.pdf')]),
    },
    {
      name: 'mutool',
      merge: (files, folder) => run(['mutool', 'merge', '-o', join(folder, 'merged.pdf'), ...files]),
      split: () => Promise.reject(new Error('mutool cannot split into pages with one command')),
    },
    {
      name: 'pdftk',
      merge: (files, folder) => run(['pdftk', ...files, 'cat', 'output', join(folder, 'merged.pdf')]),
      split: (file, folder) => run(['pdftk', file, 'burst', 'output', join(folder, '%d.pdf')]),
    },
  ];
  return all.filter(({ name }) => Bun.which(name) !== null);
}

/**
 * Returns the maintained fork of pdf-lib in this warm process. It copies pages with `copyPages` and writes
 * files without object streams, because that is faster.
 */
export function pdfLib(): Contestant {
  const joinPages = async (sources: { file: string; pages?: number[] }[], to: string) => {
    const target = await PDFDocument.create();
    for (const { file, pages } of sources) {
      const source = await PDFDocument.load(readFileSync(file));
      const copied = await target.copyPages(source, pages ?? source.getPageIndices());
      for (const page of copied) target.addPage(page);
    }
    writeFileSync(to, await target.save({ useObjectStreams: false }));
  };
  return {
    name: '@cantoo/pdf-lib',
    merge: (files, to) =>
      joinPages(
        files.map((file) => ({ file })),
        join(to, 'merged.pdf'),
      ),
    async split(file, to) {
      const source = await PDFDocument.load(readFileSync(file));
      for (const page of source.getPageIndices()) {
        const target = await PDFDocument.create();
        const [copied] = await target.copyPages(source, [page]);
        target.addPage(copied);
        writeFileSync(join(to, `${page}.pdf`), await target.save({ useObjectStreams: false }));
      }
    },
  };
}

/** Creates an empty folder for results. */
export function emptyFolder(parent: string): string {
  const folder = join(parent, 'results');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' });
  const errors = await new Response(child.stderr).text();
  // qpdf exits with 3 after warnings.
  if (![0, 3].includes(await child.exited)) throw new Error(`${command[0]}: ${errors}`);
}
