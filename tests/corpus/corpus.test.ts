import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { toolsAvailable, requireTools } from '../support/pdf/pdf.ts';
import { isThorough } from '../support/suite.ts';
import { companionOf } from './companions.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { checkFile, CHECKED_OPERATIONS } from './check-file.ts';

/** A file with a form and one with a damaged cross-reference table, for `npm test`. */
const CHOSEN = ['pypdf__pdflatex-forms.pdf', 'qpdf__append-xref-loop.pdf'];
/** The page labels of this file are damaged; qpdf repairs them differently. */
const REPAIRED_DIFFERENTLY = 'qpdf__page-labels-num-tree-damaged.pdf';

/** These operations run on every file. `npm run corpus` runs all operations on all files. */
const EVERYWHERE: readonly string[] = ['info', 'merge', 'split'];
/** Each other operation runs on every fourth file, and in `npm test` on every eighth. */
const STEP = isThorough ? 4 : 8;
/**
 * The thorough suite leaves these operations to `npm run corpus`, which asks further readers: poppler draws
 * or reads less of some files.
 */
const COMPARED_TOGETHER = ['text', 'images'];

/** Operations that poppler cannot check on a file, because it does not read the font of the drawn text. */
const UNCHECKED: Readonly<Record<string, readonly string[]>> = {
  'pdfjs__issue2391-1.pdf': ['number', 'stamp'],
};

function operationsAt(index: number): (typeof CHECKED_OPERATIONS)[number][] {
  return CHECKED_OPERATIONS.filter(
    (operation, at) =>
      EVERYWHERE.includes(operation) ||
      (at % STEP === index % STEP && !(isThorough && COMPARED_TOGETHER.includes(operation))),
  );
}

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

  const cases = namesOfSuite().map((name, index) => {
    const operations = operationsAt(index).filter((operation) => !UNCHECKED[name]?.includes(operation));
    return [name, operations] as const;
  });
  test.each(cases)('%s: the operations are correct', async (name, operations) => {
    const file = listCorpus().find((each) => each.name === name);
    if (!file) throw new Error(`the corpus has no ${name}`);
    const checks = await checkFile(sandbox, file, companionOf(file), { operations });
    expect(
      checks.flatMap(({ operation, faults }) => faults.map((fault) => `${operation}: ${fault}`)),
    ).toEqual([]);
  });
});
