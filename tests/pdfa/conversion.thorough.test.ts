import { beforeAll, expect, test } from 'bun:test';
import type { PdfaLevel } from '@platen/pdf-standards';
import { describeWithPdfTools } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { validateWithVeraPdf, requireVeraPdf } from '../support/pdf/verapdf.ts';
import { requireCorpus } from '../corpus/corpus.ts';
import { convertSample, type ConvertedSample } from './convert-sample.ts';
import { comparePages } from './compare-pages.ts';
import { MAX_CHANGED } from './report.ts';
import { corpusSamples, documentSamples, starterSamples, type Sample } from './samples.ts';

/** One sample of each kind that Chromium prints. `npm run pdfa` converts all samples. */
const PRINTED = [
  'starter-invoice-simple',
  'starter-event-ticket',
  'document-alpha-images',
  'document-transparency',
  'document-emoji',
  'document-cjk',
  'document-rtl-arabic',
  'document-links',
];
/** One file of each kind in the corpus. */
const CORPUS = [
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

const originals = new Map<string, Uint8Array>();

async function convertAll(level: PdfaLevel): Promise<ConvertedSample[]> {
  const samples: Sample[] = [
    ...starterSamples(service),
    ...documentSamples(service),
    ...(requireCorpus() ? corpusSamples() : []),
  ];
  const converted: ConvertedSample[] = [];
  for (const sample of samples.filter(({ name }) => PRINTED.includes(name) || CORPUS.includes(name))) {
    const original = originals.get(sample.name) ?? (await sample.read());
    originals.set(sample.name, original);
    converted.push(await convertSample(sample, original, level));
  }
  return converted;
}

for (const level of requireVeraPdf() ? (['1b', '2b', '3b'] as const) : [])
  describeWithPdfTools(`conversion to PDF/A-${level}`, () => {
    let all: ConvertedSample[];
    beforeAll(async () => {
      all = await convertAll(level);
    }, 120_000);

    test('succeeds for every sample', () => {
      expect(all.map(({ sample, failure }) => [sample.name, failure])).toEqual(
        all.map(({ sample }) => [sample.name, undefined]),
      );
      expect(all.length).toBe(PRINTED.length + (requireCorpus() ? CORPUS.length : 0));
    });

    test('produces files that veraPDF accepts, unlike the originals', async () => {
      const unconverted = all.slice(0, 3);
      const files = [
        ...unconverted.map(({ sample, before }) => [`${sample.name} before`, before] as const),
        ...all.flatMap(({ sample, after }) => (after ? [[sample.name, after] as const] : [])),
      ];
      const failures = await validateWithVeraPdf(new Map(files), level);
      const clauses = (name: string) => failures.get(name)?.map(({ clause }) => clause);
      expect(all.map(({ sample }) => [sample.name, clauses(sample.name)])).toEqual(
        all.map(({ sample }) => [sample.name, []]),
      );
      // Guards against a validator that accepts everything.
      for (const { sample } of unconverted) expect(clauses(`${sample.name} before`)).not.toEqual([]);
    }, 120_000);

    test('keeps the look and the text of every page', async () => {
      const differences: string[] = [];
      const uncompared: string[] = [];
      for (const { sample, before, after } of all) {
        if (!after) continue;
        const pages = await comparePages(before, after);
        if (sample.readable && pages.length === 0) uncompared.push(sample.name);
        for (const { page, changed, words } of pages) {
          if (changed > MAX_CHANGED) differences.push(`${sample.name} page ${page}: ${changed}`);
          if (words.length > 0) differences.push(`${sample.name} page ${page}: ${words.join(' ')}`);
        }
      }
      expect({ differences, uncompared }).toEqual({ differences: [], uncompared: [] });
    }, 120_000);
  });
