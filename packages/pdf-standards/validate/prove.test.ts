import { beforeAll, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { PDFA_LEVELS } from '../levels.ts';
import { convertible } from '../tests/conforming-sample.ts';
import { claimOf, prove } from './prove.ts';

let conforming: Uint8Array;
beforeAll(async () => {
  conforming = await convertToPdfa(Buffer.from(convertible, 'latin1'), { level: '2b' });
});

async function failure(pdf: Uint8Array, profile: string): Promise<string> {
  return prove(pdf, [profile]).then(
    () => 'proven',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

test('a proven claim names the standard, the checker, the rules and the time', async () => {
  const since = Date.now();
  const [claim] = await prove(conforming, ['pdfa-2b']);
  expect(claim).toMatchObject({ profile: 'pdfa-2b', standard: 'PDF/A', level: '2b' });
  expect(claim?.checkedBy).toMatch(/^@platen\/pdf \d+\.\d+\.\d+$/);
  expect(claim?.rules).toContain('6.2.11.4.1');
  expect(claim?.passedAt).toBeWithin(since, Date.now() + 1);
});

test('a false claim is rejected with the violated rule', async () => {
  const changed = Buffer.concat([conforming, Buffer.from('more')]);
  expect(await failure(changed, 'pdfa-2b')).toMatch(/does not conform to PDF\/A 2b: .+ \(6\.1\.3\)/);
  expect(await failure(conforming, 'pdfa-1b')).toStartWith('does not conform to PDF/A 1b: ');
});

test('a profile that cannot be checked completely is never proven', async () => {
  expect(await failure(conforming, 'pdfa-2a')).toBe('pdfa-2a cannot be proven');
  expect(() => claimOf('pdfx-1a')).toThrow('pdfx-1a cannot be proven');
});

test('the level of an intact signature is proven, but not a higher one', async () => {
  const fixture = (name: string) =>
    readFile(new URL(`../../signatures/tests/fixtures/signatures/${name}.pdf`, import.meta.url));
  const archived = await fixture('b-lta');
  const claims = await prove(archived, ['pades-b-lta', 'pades-b-t']);
  expect(claims.map(({ standard, level }) => `${standard} ${level}`)).toEqual(['PAdES B-LTA', 'PAdES B-T']);
  const plain = await fixture('rsa-pss');
  expect(await failure(plain, 'pades-b-b')).toBe('proven');
  expect(await failure(plain, 'pades-b-t')).toContain('does not have a part that the level b-t requires');
  const at = plain.indexOf('/MediaBox');
  const changed = Buffer.concat([plain.subarray(0, at), Buffer.from('/MediaBoy'), plain.subarray(at + 9)]);
  expect(await failure(changed, 'pades-b-b')).toStartWith('does not conform to PAdES B-B: ');
  expect(await failure(conforming, 'pades-b-b')).toContain('the file has no signature');
});

test('only the levels with Unicode text name its clause, and rules are in the order of the standard', () => {
  const rules = new Map(PDFA_LEVELS.map((level) => [level, claimOf(`pdfa-${level}`).rules]));
  const unicode = [...rules].filter(([, clauses]) => clauses.includes('6.2.11.7.2'));
  expect(unicode.map(([level]) => level)).toEqual(['2u', '3u']);
  expect(rules.get('1b')?.slice(0, 3)).toEqual(['6.1.1', '6.1.2', '6.1.3']);
  expect(rules.get('1b')).toContain('6.1.12');
  expect(rules.get('1b')?.indexOf('6.1.12')).toBeGreaterThan(rules.get('1b')?.indexOf('6.1.2') ?? 0);
});
