import { beforeAll, describe, expect, test } from 'bun:test';
import type { PdfaLevel } from '@platen/pdf-standards';
import { everyElement, tableDocument } from './documents.ts';
import { drawnContent } from './drawn-content.ts';
import { activeDocuments, plainDocuments } from '../documents/index.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { readStarters, requestFor } from '../support/starters/starters.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../support/pdf/verapdf.ts';

const service = sharedService();

/** A printed document, with the claim and the codes of the errors in its receipt. */
interface Printed {
  pdf: Uint8Array;
  claim: string | null;
  errors: string[];
}

/** The documents of the rendering tests have neither titles nor languages. */
const PROPERTIES = { title: 'A document', language: 'en' };

async function print(request: { options?: object }): Promise<Printed> {
  const answer = await service().post('/v1/generate', {
    ...request,
    options: { ...request.options, accessible: 'report' },
    output: 'base64',
  });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  const { body } = await service().get(`/v1/generations/${answer.body.id}?receipt=true`);
  const { claim, findings } = body.receipt.accessibility;
  const errors = findings.entries.filter(({ severity }: { severity: string }) => severity === 'error');
  return {
    pdf: Buffer.from(answer.body.data, 'base64'),
    claim,
    errors: errors.map(({ code }: { code: string }) => code),
  };
}

/**
 * Validates files with veraPDF. Returns the names of the files with violations, each with the violated
 * clauses.
 */
async function violations(
  files: ReadonlyMap<string, Uint8Array>,
  profile: PdfaLevel | 'ua1' = 'ua1',
): Promise<[string, string[]][]> {
  const found = await validateWithVeraPdf(files, profile);
  return [...found]
    .filter(([, clauses]) => clauses.length > 0)
    .map(([name, clauses]) => [name, clauses.map(({ clause }) => clause)]);
}

/**
 * Files to validate at PDF/UA-1 and, if they have a level, at that level of PDF/A. veraPDF starts once for
 * each profile.
 */
class ClaimedFiles {
  readonly #files = new Map<PdfaLevel | 'ua1', Map<string, Uint8Array>>();

  add(name: string, pdf: Uint8Array, level?: PdfaLevel): void {
    for (const profile of ['ua1', ...(level ? [level] : [])] as const) {
      const files = this.#files.get(profile) ?? new Map<string, Uint8Array>();
      this.#files.set(profile, files.set(level ? `${name} ${level}` : name, pdf));
    }
  }

  /** Returns the violations, each with its profile. */
  async violations(): Promise<unknown[]> {
    expect(this.#files.size).toBeGreaterThan(0);
    const found: unknown[] = [];
    for (const [profile, files] of this.#files)
      for (const violation of await violations(files, profile)) found.push([profile, ...violation]);
    return found;
  }
}

if (requireVeraPdf()) {
  describe('documents of the rendering tests', () => {
    const documents = [...plainDocuments, ...activeDocuments];
    const printed = new Map<string, Printed>();
    beforeAll(async () => {
      for (const { name, html } of documents)
        printed.set(name, await print({ html, options: { properties: PROPERTIES } } as object));
    }, 900_000);

    test('veraPDF accepts every claim', async () => {
      const claimed = [...printed].filter(([, { claim }]) => claim !== null);
      expect(claimed.length).toBeGreaterThan(60);
      expect(await violations(new Map(claimed.map(([name, { pdf }]) => [name, pdf])))).toEqual([]);
    }, 120_000);

    test('a document without a claim has a fault that its author can correct', () => {
      const silent = [...printed].filter(([, { claim }]) => claim === null);
      expect(silent.length).toBeGreaterThan(5);
      expect(silent.filter(([, { errors }]) => errors.length === 0)).toEqual([]);
    });
  });

  describe('starters', () => {
    test('veraPDF accepts all of them, and also as PDF/A', async () => {
      const files = new ClaimedFiles();
      for (const level of [undefined, '1b', '2b', '3u'] as const)
        for (const starter of readStarters()) {
          const request = requestFor(starter, starter.sample_data) as { options: object };
          const options = { ...request.options, ...(level && { pdfa: level }) };
          const { pdf, claim, errors } = await print({ ...request, options });
          expect([starter.slug, claim, errors]).toEqual([starter.slug, 'pdfua-1', []]);
          files.add(starter.slug, pdf, level);
        }
      expect(await files.violations()).toEqual([]);
    }, 900_000);

    test('veraPDF accepts every kind of element, with a header and a footer', async () => {
      const files = new ClaimedFiles();
      for (const level of [undefined, '1b', '2b', '2u', '3b', '3u'] as const) {
        const options = {
          header: '<a href="https://example.com/">Header</a>',
          footer: 'Page {{pageNumber}}',
        };
        const { pdf, claim, errors } = await print({
          html: everyElement,
          options: { ...options, ...(level && { pdfa: level }) },
        } as object);
        expect([level, claim, errors]).toEqual([level, 'pdfua-1', []]);
        files.add('every element', pdf, level);
      }
      expect(await files.violations()).toEqual([]);
    }, 900_000);

    test('veraPDF accepts described form fields and formulas', async () => {
      const body = drawnContent.map(([, part]) => `<div>${part}</div>`).join('');
      const html = `<!doctype html><html lang="en"><title>T</title><h1>H</h1>${body}</html>`;
      const files = new ClaimedFiles();
      for (const level of [undefined, '1b', '2u'] as const) {
        const { pdf, claim, errors } = await print({ html, options: level ? { pdfa: level } : {} } as object);
        expect([level, claim, errors]).toEqual([level, 'pdfua-1', []]);
        files.add('drawn content', pdf, level);
      }
      expect(await files.violations()).toEqual([]);
    }, 900_000);

    test('veraPDF accepts a large structure tree, which is compressed with a predictor', async () => {
      const files = new ClaimedFiles();
      for (const level of ['1b', '2b', '3b'] as const) {
        const { pdf, claim } = await print({
          html: tableDocument(1_500),
          options: { pdfa: level },
        } as object);
        expect([level, claim]).toEqual([level, 'pdfua-1']);
        files.add('table', pdf, level);
      }
      expect(await files.violations()).toEqual([]);
    }, 900_000);

    test('veraPDF accepts an e-invoice as PDF/UA and as PDF/A-3b', async () => {
      const starter = readStarters().find(({ slug }) => slug === 'e-invoice');
      const request = starter && requestFor(starter, starter.sample_data);
      const { pdf, claim } = await print({ ...request, options: { invoice: { profile: 'en16931' } } });
      expect(claim).toBe('pdfua-1');
      const files = new ClaimedFiles();
      files.add('e-invoice', pdf, '3b');
      expect(await files.violations()).toEqual([]);
    }, 120_000);
  });
}
