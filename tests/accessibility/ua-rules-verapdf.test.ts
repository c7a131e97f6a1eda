import { expect, test } from 'bun:test';
import { requireVeraPdf, validateWithVeraPdf } from '../support/verapdf.ts';
import { taggedFile } from './ua/tagged-file.ts';
import { uaCases } from './ua/cases.ts';

if (requireVeraPdf())
  test('veraPDF gives the same answer for every file', async () => {
    const files = new Map(uaCases.map(([name, , file]) => [name, taggedFile(file)]));
    const judged = await validateWithVeraPdf(files, 'ua1');
    const verdicts = uaCases.map(([name]) => [name, judged.get(name)?.length === 0]);
    expect(verdicts).toEqual(uaCases.map(([name, valid]) => [name, valid]));
  }, 300_000);
