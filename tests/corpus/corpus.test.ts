import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { toolsAvailable, requireTools } from '../support/pdf.ts';
import { companionOf } from './companions.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { checkFile } from './check-file.ts';

/** One file of each kind. `npm run corpus` checks all files. */
const CHOSEN = [
  'pdfjs__nested_outline.pdf',
  'pdfjs__issue1350.pdf',
  'pdfjs__rotated.pdf',
  'pdflib__with_signature.pdf',
  'pdflib__with_invalid_objects.pdf',
  'pdflib__PDF_2.0_with_offset_start.pdf',
  'pypdf__pdflatex-forms.pdf',
  'qpdf__append-xref-loop.pdf',
  'qpdf__bad29.pdf',
  'qpdf__outlines-split-11-20.pdf',
  'pdfjs__poppler-67295-0.pdf',
];

describe.if(requireCorpus() && (toolsAvailable || requireTools()))('files of the corpus', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ slots: 1 });
  });
  afterAll(() => sandbox.close());

  test.each(CHOSEN)('%s: info, merge and split are correct', async (name) => {
    const file = listCorpus().find((other) => other.name === name);
    if (!file) throw new Error(`the corpus has no ${name}`);
    const checks = await checkFile(sandbox, file, companionOf(file));
    expect(
      checks.flatMap(({ operation, faults }) => faults.map((fault) => `${operation}: ${fault}`)),
    ).toEqual([]);
  });
});
