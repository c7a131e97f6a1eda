import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const FOLDER = join(import.meta.dir, '../../../docs/paged-media');
const service = sharedService();
const read = (file: string) => Bun.file(join(FOLDER, file)).text();

/** A text on each page of the examples of docs/paged-media.md. */
const EXAMPLES: Record<string, RegExp[]> = {
  'carried-subtotals': [
    /^Item Net Paper.*Carried forward 1,293\.30$/,
    /^Item Net Brought forward 1,293\.30 .*Carried forward 1,401\.20$/,
    /^Item Net Brought forward 1,401\.20 .*Carried forward 1,425\.85$/,
    /^Item Net Brought forward 1,425\.85 .*Total €1,433\.20$/,
  ],
  footnotes: [/red ink\. ?2.*1\. In the county archive, box 14\. 2\. Red lead/, /3\. The council/],
  'running-headers': [
    /^The harbour .*1 ?\/ ?3$/,
    /^The harbour In winter.*2 ?\/ ?3$/,
    /^The town .*3 ?\/ ?3$/,
  ],
  sections: [/^Offer/, /^Terms page 1 of 2/, /^Terms page 2 of 2/, /^Price list page 1 of 1/],
  'table-of-contents': [
    /^Contents The harbour 2 Ships 2 The town 3 The crane 3$/,
    /^The harbour .* on page 3\./,
    /^The town/,
  ],
};

test('each example is tested and has a picture', () => {
  const names = Object.keys(EXAMPLES);
  const files = names.flatMap((name) => [`${name}.html`, `${name}.png`]);
  expect(readdirSync(FOLDER).toSorted()).toEqual([...files, 'base.css'].toSorted());
});

describeWithPdfTools('an example of paged media', () => {
  test.each(Object.entries(EXAMPLES))('%s has the pages of its picture', async (name, expected) => {
    const [html, styles] = await Promise.all([`${name}.html`, 'base.css'].map(read));
    const pdf = await service().pdf({ html, styles });
    const pages = (await pdfText(pdf)).split('\f').slice(0, -1);
    expect(pages.length).toBe(expected.length);
    for (const [index, text] of expected.entries())
      expect(pages[index]?.replaceAll(/\s+/g, ' ').trim()).toMatch(text);
  });
});
