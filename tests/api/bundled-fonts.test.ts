import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import { describeWithPdfTools } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';

const FACES = [
  ['Inter', 400, 'normal', 'Inter-Regular'],
  ['Inter', 600, 'normal', 'Inter-SemiBold'],
  ['Inter', 400, 'italic', 'Inter-Italic'],
  ['Source Serif 4', 400, 'normal', 'SourceSerif4-Regular'],
  ['Source Serif 4', 600, 'normal', 'SourceSerif4-SemiBold'],
  ['Source Serif 4', 400, 'italic', 'SourceSerif4-Italic'],
] as const;

describeWithPdfTools('the fonts that come with Platen', () => {
  const service = sharedService();

  test('print by name in the body and in margin boxes, in every weight, without being installed', async () => {
    const html = `<style>@page { @bottom-left { content: "margin"; font: 800 8pt Inter; } }</style>${FACES.map(
      ([family, weight, style]) =>
        `<p style="font: ${style} ${weight} 12pt '${family}'">Grüße, Łódź, Αθήνα, Москва</p>`,
    ).join('')}`;
    const pdf = await service().pdf({ html, output: 'base64' });
    const fonts = await fontsOf(pdf);
    expect(fonts.toSorted()).toEqual([...FACES.map(([, , , name]) => name), 'Inter-ExtraBold'].toSorted());
  });
});

/** Returns the names of the fonts in a PDF, without the tags of their subsets. */
async function fontsOf(pdf: Uint8Array): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-fonts-'));
  try {
    const file = join(folder, 'fonts.pdf');
    await Bun.write(file, pdf);
    const lines = (await $`pdffonts ${file}`.text()).trim().split('\n').slice(2);
    return lines.map((line) => line.split(/\s+/)[0]?.replace(/^[A-Z]{6}\+/, '') ?? '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
