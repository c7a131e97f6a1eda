import { expect, test } from 'bun:test';
import { requireVeraPdf, validateWithVeraPdf } from '../support/pdf/verapdf.ts';
import { checkPdfua } from '@platen/pdf-standards';
import { fontFiles } from './ua/fonts.ts';
import { taggedFile } from './ua/tagged-file.ts';
import { uaCases } from './ua/cases.ts';

/**
 * Fonts that break ISO 32000-1 9.6 and 9.7, which PDF/UA-1 requires, in entries that veraPDF does not check.
 */
const UNCHECKED = [
  'a TrueType font without BaseFont',
  'a TrueType font without Type',
  'a TrueType program of subtype TrueType',
  'a composite font without a descendant',
];

if (requireVeraPdf()) {
  test('veraPDF gives the same answer for every font', async () => {
    const files = await fontFiles();
    const judged = await validateWithVeraPdf(files, 'ua1');
    const accepted = [...judged].filter(([, found]) => found.length === 0).map(([name]) => name);
    const own = [...files].filter(([, file]) => checkPdfua(file).length === 0).map(([name]) => name);
    console.log(`PDF/UA-1, fonts: veraPDF accepts ${accepted.length} of ${files.size}`);
    expect(own).toEqual(accepted.filter((name) => !UNCHECKED.includes(name)));
    expect(own.length).toBeGreaterThan(40);
    expect(UNCHECKED.every((name) => accepted.includes(name))).toBe(true);
  }, 300_000);

  test('veraPDF gives the same answer for every file', async () => {
    const files = new Map(uaCases.map(([name, , file]) => [name, taggedFile(file)]));
    const judged = await validateWithVeraPdf(files, 'ua1');
    const verdicts = uaCases.map(([name]) => [name, judged.get(name)?.length === 0]);
    expect(verdicts).toEqual(uaCases.map(([name, valid]) => [name, valid]));
  }, 300_000);
}
