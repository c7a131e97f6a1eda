import { describe, expect, test } from 'bun:test';
import { listCorpus, readCorpus, requireCorpus } from '../corpus/corpus.ts';
import { requireTools, toolsAvailable } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { isThorough } from '../support/suite.ts';
import { checkFill, checkList } from './check-fields.ts';
import { readFieldsWithQpdf } from './qpdf-fields.ts';

/** One form of each kind, for `npm test`. */
const CHOSEN = [
  'pdflib__create_form.pdf',
  'pypdf__libreoffice-form.pdf',
  'pdfjs__issue21068.pdf',
  'pdfjs__bug1947248_forms.pdf',
];

async function namesOfSuite(): Promise<string[]> {
  if (!isThorough || !requireCorpus() || !requireTools()) return CHOSEN;
  const names: string[] = [];
  for (const { name } of listCorpus()) {
    if (CHOSEN.includes(name)) continue;
    const fields = await readFieldsWithQpdf(readCorpus(name)).catch(() => []);
    if (fields.length > 0) names.push(name);
  }
  return names;
}
const names = await namesOfSuite();

describe.if(requireCorpus() && (toolsAvailable || requireTools()))('forms of the corpus', () => {
  const service = sharedService();

  test.each(names)('%s: qpdf lists the same fields, and the filled values are visible', async (name) => {
    const checks = [...(await checkList(service(), name)), ...(await checkFill(service(), name))];
    if (CHOSEN.includes(name))
      expect(checks.filter(({ skipped }) => skipped === undefined).length).toBeGreaterThan(1);
    const faults = checks.flatMap((check) => check.faults.map((fault) => `${check.field}: ${fault}`));
    expect(faults).toEqual([]);
  });
});
