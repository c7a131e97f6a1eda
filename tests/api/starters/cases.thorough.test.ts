import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { layoutFaults } from '../../support/starters/layout.ts';
import { isDisplayText, rowsOf, type Json, type JsonObject } from '../../support/starters/variants.ts';
import { readStarters } from '../../support/starters/starters.ts';
import { unzip } from '../../support/unzip.ts';

const officeFolder = join(import.meta.dir, '..', '..', '..', 'starters', 'office');
const starters = readStarters();
const office = (await readdir(officeFolder)).filter((name) => name.endsWith('.json'));
const slugs = [...starters.map(({ slug }) => slug), ...office.map((name) => name.slice(0, -'.json'.length))];

/** The list of rows, where it is not the longest list of objects. */
const ROWS: Record<string, string> = { 'event-ticket': 'tickets', 'quarterly-review': 'chapters' };
/** Texts that are not printed: a tax of 0 % has no line. */
const NOT_PRINTED: Record<string, string[]> = { quote: ['Tax'] };

describeWithPdfTools('the starter', () => {
  const service = sharedService();

  test.each(slugs)('%s prints each of its cases completely and without warnings', async (slug) => {
    const { body: starter } = await service().get(`/v1/starter-templates/${slug}`);
    expect(starter.cases.map(({ name }: { name: string }) => name)).toEqual(['typical', 'hard']);
    expectHard(starter, ROWS[slug]);
    const { body: clone } = await service().request('POST', `/v1/starter-templates/${slug}/clone`);
    const { body: stored } = await service().get(`/v1/templates/${clone.id}/cases`);
    expect([clone.cases, stored.data]).toEqual([
      ['typical', 'hard'],
      starter.cases.map((each: object) =>
        expect.objectContaining({ ...each, options: null, accepted: null }),
      ),
    ]);
    for (const { name, data } of starter.cases as { name: string; data: JsonObject }[]) {
      const { status, body } = await service().post('/v1/generate', {
        template: clone.id,
        data,
        output: 'base64',
        ...(starter.format && { type: starter.format }),
      });
      expect([name, status, body.warnings ?? body.error]).toEqual([name, 200, []]);
      const file = Buffer.from(body.data, 'base64');
      const html = starters.find((each) => each.slug === slug);
      if (html) expect(await layoutFaults(file, { starter: html, variant: { name, data } })).toEqual([]);
      const text = textsOf(data).join(' ');
      const simplified = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? lettersOf : squashed;
      const printed = simplified(html ? await pdfText(file, { order: 'raw' }) : await textOfOffice(file));
      const missing = text.split(/[\s-]+/).filter((word) => !printed.includes(simplified(word)));
      expect([name, ...missing.filter((word) => !NOT_PRINTED[slug]?.includes(word))]).toEqual([name]);
    }
  });

  test('letter has its cases in the clone, as new ones until their pages are accepted', async () => {
    const { body: clone } = await service().request('POST', '/v1/starter-templates/letter/clone');
    const check = async () => (await service().post(`/v1/templates/${clone.id}/check`, {})).body;
    const statuses = ({ passed, cases }: { passed: boolean; cases: { name: string; status: string }[] }) => [
      passed,
      ...cases.map(({ name, status }) => `${name}: ${status}`),
    ];
    expect(statuses(await check())).toEqual([false, 'hard: new', 'typical: new']);
    for (const name of clone.cases)
      expect(
        (await service().post(`/v1/templates/${clone.id}/cases/${name}/accept`, {})).body.accepted.version,
      ).toBe(1);
    expect(statuses(await check())).toEqual([true, 'hard: equal', 'typical: equal']);
  });
});

interface Served {
  schema: Record<string, string>;
  cases: { data: JsonObject }[];
}

/** Expects a case with long words, three times the rows, and without optional fields. */
function expectHard({ schema, cases }: Served, rows?: string): void {
  const [typical, hard] = cases.map(({ data }) => data) as [JsonObject, JsonObject];
  const words = textsOf(hard).flatMap((text) => text.split(/[^\p{L}]+/u));
  expect(Math.max(...words.map((word) => word.length))).toBeGreaterThanOrEqual(24);
  const absent = Object.keys(typical).filter((name) => !(name in hard));
  expect(absent.filter((name) => schema[name]?.endsWith('!'))).toEqual([]);
  // An e-invoice is one object, whose fields the rules of invoices require.
  if (Object.keys(typical).length > 2) expect(absent.length).toBeGreaterThan(0);
  const list = rows ?? rowsOf(typical);
  if (list === undefined) return;
  expect((hard[list] as Json[]).length).toBeGreaterThanOrEqual(3 * (typical[list] as Json[]).length);
}

/** Returns all texts for people. */
function textsOf(value: Json): string[] {
  if (typeof value === 'string') return isDisplayText(value) && !value.startsWith('data:') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
}

/** Removes what lines end with, because long words are broken, and the difference of capitals. */
const squashed = (text: string) => text.toLowerCase().replaceAll(/[\s\u00ad\u2010-]+/g, '');

/**
 * Removes punctuation, and the letters of the ligature of lam and alef, because poppler reads punctuation from
 * right to left as a part of another word, and the letters of ligatures in reverse.
 */
const lettersOf = (text: string) => squashed(text).replaceAll(/[^\p{L}\p{N}]|[لاأإآى]/gu, '');

async function textOfOffice(file: Uint8Array): Promise<string> {
  const parts = (await unzip(file)).filter(({ name }) => name.endsWith('.xml'));
  const entities: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&apos;': "'",
  };
  return parts
    .map(({ content }) => content.toString().replaceAll(/<[^>]*>/g, ''))
    .join('\n')
    .replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity);
}
