import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { toolsAvailable, requireTools } from '../support/pdf.ts';
import { isThorough } from '../support/suite.ts';
import { companionOf } from './companions.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { checkFile } from './check-file.ts';

/** One file of each kind, for `npm test`. */
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
/** The page labels of this file are damaged; qpdf repairs them differently. */
const REPAIRED_DIFFERENTLY = 'qpdf__page-labels-num-tree-damaged.pdf';

function namesOfSuite(): string[] {
  if (!isThorough || !requireCorpus()) return CHOSEN;
  const sound = listCorpus().filter((file) => file.sound);
  return sound
    .map(({ name }) => name)
    .filter((name) => !CHOSEN.includes(name) && name !== REPAIRED_DIFFERENTLY);
}

describe.if(requireCorpus() && (toolsAvailable || requireTools()))('files of the corpus', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ slots: 1 });
  });
  afterAll(() => sandbox.close());

  test.each(namesOfSuite())('%s: the operations are correct', async (name) => {
    const file = listCorpus().find((other) => other.name === name);
    if (!file) throw new Error(`the corpus has no ${name}`);
    const checks = await checkFile(sandbox, file, companionOf(file));
    expect(
      checks.flatMap(({ operation, faults }) => faults.map((fault) => `${operation}: ${fault}`)),
    ).toEqual([]);
  });
});
