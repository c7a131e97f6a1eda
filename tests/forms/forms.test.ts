import { describe, expect, test } from 'bun:test';
import { requireCorpus } from '../corpus/corpus.ts';
import { requireTools, toolsAvailable } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { judgeFill, judgeList } from './judge.ts';

/** One of each kind; `npm run forms` does all. */
const CHOSEN = [
  'pdflib__create_form.pdf',
  'pypdf__libreoffice-form.pdf',
  'pdfjs__issue21068.pdf',
  'pdfjs__bug1947248_forms.pdf',
];

describe.if(requireCorpus() && (toolsAvailable || requireTools()))('forms of the corpus', () => {
  const service = sharedService();

  test.each(CHOSEN)('%s: qpdf lists the same, and what is filled in is seen', async (name) => {
    const verdicts = [...(await judgeList(service(), name)), ...(await judgeFill(service(), name))];
    expect(verdicts.filter(({ left }) => left === undefined).length).toBeGreaterThan(1);
    const faults = verdicts.flatMap((verdict) => verdict.faults.map((fault) => `${verdict.field}: ${fault}`));
    expect(faults).toEqual([]);
  });
});
