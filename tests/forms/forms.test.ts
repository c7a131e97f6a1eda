import { describe, expect, test } from 'bun:test';
import { requireCorpus } from '../corpus/corpus.ts';
import { requireTools, toolsAvailable } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { checkFill, checkList } from './check-fields.ts';

/** One form of each kind. `npm run forms` checks all forms. */
const CHOSEN = [
  'pdflib__create_form.pdf',
  'pypdf__libreoffice-form.pdf',
  'pdfjs__issue21068.pdf',
  'pdfjs__bug1947248_forms.pdf',
];

describe.if(requireCorpus() && (toolsAvailable || requireTools()))('forms of the corpus', () => {
  const service = sharedService();

  test.each(CHOSEN)('%s: qpdf lists the same fields, and the filled values are visible', async (name) => {
    const checks = [...(await checkList(service(), name)), ...(await checkFill(service(), name))];
    expect(checks.filter(({ skipped }) => skipped === undefined).length).toBeGreaterThan(1);
    const faults = checks.flatMap((check) => check.faults.map((fault) => `${check.field}: ${fault}`));
    expect(faults).toEqual([]);
  });
});
