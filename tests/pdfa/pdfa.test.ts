import { beforeAll, expect, test } from 'bun:test';
import { describeWithPdfTools } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { checkArchives, requireVeraPdf } from '../support/verapdf.ts';
import { requireCorpus } from '../corpus/corpus.ts';
import { archive, type Archived } from './archive.ts';
import { compareLooks } from './look.ts';
import { MAX_CHANGED } from './report.ts';
import { corpusSamples, documentSamples, starterSamples, type Sample } from './samples.ts';

/** One of each kind; `npm run pdfa` does all. */
const CHOSEN = [
  'starter-invoice-simple',
  'starter-event-ticket',
  'document-alpha-images',
  'document-see-through',
  'document-emoji',
  'document-cjk',
  'document-rtl-arabic',
  'document-links',
  'pdfjs__annotation-border-styles.pdf',
  'pdfjs__bug1708040.pdf',
  'pdfjs__issue1350.pdf',
  'pdfjs__bug852992_reduced.pdf',
  'pdfjs__rotated.pdf',
  'pdfjs__nested_outline.pdf',
  'pdflib__with_signature.pdf',
  'pdflib__create_document.pdf',
  'pdflib__form_to_flatten.pdf',
  'pypdf__imagemagick-images.pdf',
  'qpdf__append-xref-loop.pdf',
  'qpdf__bad29.pdf',
  'qpdf__outlines-split-11-20.pdf',
];

const service = sharedService();

async function archiveAll(): Promise<Archived[]> {
  const samples: Sample[] = [
    ...starterSamples(service),
    ...documentSamples(service, 'all'),
    ...(requireCorpus() ? corpusSamples() : []),
  ];
  const archived: Archived[] = [];
  for (const sample of samples)
    if (CHOSEN.includes(sample.name)) archived.push(await archive(sample, await sample.read()));
  return archived;
}

if (requireVeraPdf())
  describeWithPdfTools('an archive', () => {
    let all: Archived[];
    beforeAll(async () => {
      all = await archiveAll();
    }, 120_000);

    test('is made of every sample', () => {
      expect(all.map(({ sample, refusal }) => [sample.name, refusal])).toEqual(
        all.map(({ sample }) => [sample.name, undefined]),
      );
      expect(all.length).toBe(requireCorpus() ? CHOSEN.length : CHOSEN.length - 13);
    });

    test('conforms to PDF/A-1b, as what it was made of does not', async () => {
      const unconverted = all.slice(0, 3);
      const files = [
        ...unconverted.map(({ sample, before }) => [`${sample.name} before`, before] as const),
        ...all.flatMap(({ sample, after }) => (after ? [[sample.name, after] as const] : [])),
      ];
      const failures = await checkArchives(new Map(files));
      const clauses = (name: string) => failures.get(name)?.map(({ clause }) => clause);
      expect(all.map(({ sample }) => [sample.name, clauses(sample.name)])).toEqual(
        all.map(({ sample }) => [sample.name, []]),
      );
      // A judge that passes everything would pass these.
      for (const { sample } of unconverted) expect(clauses(`${sample.name} before`)).not.toEqual([]);
    }, 120_000);

    test('looks and reads as before', async () => {
      const faults: string[] = [];
      for (const { sample, before, after } of all) {
        if (!after) continue;
        for (const { page, changed, words } of await compareLooks(before, after)) {
          if (changed > MAX_CHANGED) faults.push(`${sample.name} page ${page}: ${changed}`);
          if (words.length > 0) faults.push(`${sample.name} page ${page}: ${words.join(' ')}`);
        }
      }
      expect(faults).toEqual([]);
    }, 120_000);
  });
