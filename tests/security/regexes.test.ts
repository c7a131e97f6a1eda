import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkRegexes } from '../../scripts/check-regexes.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-regexes-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, code: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), code);
}

/** Checks one file with this code and returns its faults. */
async function faultsOf(code: string): Promise<string[]> {
  write('src/code.ts', code);
  return (await checkRegexes(root, [])).faults;
}

describe('the check refuses', () => {
  test.each([
    ['exponential time', 'export const R = /(a+)+$/;', 'exponential'],
    ['quadratic time over the starts', String.raw`export const R = /\s+$/;`, '2nd degree polynomial'],
    ['quadratic time over repeated searches', 'export const R = /a(?:[^]*b)?/g;', '2nd degree polynomial'],
    ['quadratic time over attempts at each position', String.raw`export const R = /\s*,/y;`, '2nd degree'],
    ['quadratic time in a look-ahead', 'export const R = /x(?=.*y)/;', '2nd degree polynomial'],
    ['quadratic time before a look-ahead', 'export const R = /a+(?=b)/;', '2nd degree polynomial'],
    ['a large bounded repetition', 'export const R = /^(?:a|a){30}b/;', 'exponential'],
    ['a repeated back-reference', String.raw`export const R = /(a+)\1b/;`, 'back-reference'],
    ['a look-behind of any length', 'export const R = /(?<=a+)b+/;', 'look-behind'],
    ['a regular expression of a string', "export const R = new RegExp('(a|a)*$');", 'exponential'],
    ['a call of RegExp', "export const R = RegExp('b+$', 'g');", '2nd degree polynomial'],
    ['a string for match', String.raw`export const f = (s: string) => s.match('\\s+$');`, '2nd degree'],
    ['a pattern of a schema', "export const s = { type: 'string', pattern: '^(a+)+$' };", 'exponential'],
    ['a pattern of keys', "export const s = { patternProperties: { '^(a+)+$': {} } };", 'exponential'],
    ['a variable', 'export const f = (word: string) => new RegExp(word);', 'not built from constants alone'],
    [
      'a name that hides a constant',
      "const A = 'a'; export const f = (A: string) => RegExp(A);",
      'constants',
    ],
    ['an invalid regular expression', "export const R = new RegExp('(');", 'cannot be read'],
  ])('%s', async (_name, code, reason) => {
    const faults = await faultsOf(code);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toStartWith('src/code.ts:1: ');
    expect(faults[0]).toContain(reason);
  });
});

describe('the check accepts', () => {
  test.each([
    ['a search that begins at the start', String.raw`export const R = /^\s+/;`],
    ['repeated searches that read each character once', String.raw`export const R = /\s+|[^,]+,?/g;`],
    ['a bounded look-ahead', String.raw`export const R = /<\/(?=style)/gi;`],
    ['a bounded back-reference', String.raw`export const R = /(["'])x\1/;`],
    ['constants', 'const A = `a${1 + 2}`; export const R = new RegExp(String.raw`^${A}\\s*` + "b", "g");'],
    ['a regular expression quoted in text', "// /(a+)+$/\nexport const t = '/(a+)+$/';"],
  ])('%s', async (_name, code) => {
    expect(await faultsOf(code)).toEqual([]);
  });

  test('any pattern in a test file, but not a bad constant imported from another file', async () => {
    write('src/words.ts', "export const WORD = '(a+)+$';");
    write('src/code.test.ts', 'export const R = /(a+)+$/;');
    expect(await faultsOf("import { WORD } from './words.ts';\nexport const R = new RegExp(WORD);")).toEqual([
      expect.stringContaining('src/code.ts:2: /(a+)+$/: it is exponential'),
    ]);
  });
});

describe('an exception', () => {
  const exception = { file: 'plugins/a.ts', pattern: String.raw`/\s+$/`, reason: 'a line of 80 characters' };

  test('applies to its pattern in its file only', async () => {
    write('plugins/a.ts', String.raw`export const R = /\s+$/;`);
    write('plugins/b.ts', String.raw`export const R = /\s+$/;`);
    const { faults, patterns } = await checkRegexes(root, [exception]);
    expect(patterns).toBe(2);
    expect(faults).toEqual([expect.stringContaining('plugins/b.ts:1: ')]);
  });

  test('is a fault if its pattern is gone or linear', async () => {
    write('plugins/a.ts', String.raw`export const R = /^\s+/;`);
    const linear = { ...exception, pattern: String.raw`/^\s+/` };
    const { faults } = await checkRegexes(root, [exception, linear]);
    expect(faults).toEqual([
      String.raw`plugins/a.ts: the exception for /\s+$/ is not needed`,
      String.raw`plugins/a.ts: the exception for /^\s+/ is not needed`,
    ]);
  });
});
