import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfFonts } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

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
    const fonts = await pdfFonts(await service().pdf({ html }));
    const names = [...FACES.map(([, , , name]) => name), 'Inter-ExtraBold'];
    expect(fonts.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });
});
