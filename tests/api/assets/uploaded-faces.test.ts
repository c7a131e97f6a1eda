import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'bun:test';
import { renameFont, trueTypeFont } from '../../support/fonts/fonts.ts';
import { describeWithPdfTools, pdfFonts, pdfText } from '../../support/pdf/pdf.ts';
import { drawPages } from '../../support/pdf/pixels.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { readStarters, requestFor } from '../../support/starters/starters.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();
const starters = readStarters();

const fontFolder = join(import.meta.dir, '..', '..', '..', 'node_modules', '@expo-google-fonts', 'inter');
const interItalic = readFileSync(join(fontFolder, '400Regular_Italic', 'Inter_400Regular_Italic.ttf'));

async function upload(key: string, name: string, content: Uint8Array, fields: object = {}): Promise<void> {
  const body = { name, data: Buffer.from(content).toString('base64'), ...fields };
  const answer = await service().post('/v1/assets', body, key);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

async function print(body: object, key: string): Promise<Uint8Array> {
  const { body: made, status } = await service().post('/v1/generate', body, key);
  if (status !== 200) throw new Error(JSON.stringify(made));
  return service().download(made.url);
}

/** Returns the names of the fonts in a PDF, without repetitions. */
async function fontNames(pdf: Uint8Array): Promise<string[]> {
  return [...new Set((await pdfFonts(pdf)).map(({ name }) => name))].toSorted();
}

/** Returns the names of the fonts in a printed document, without repetitions. */
async function fontsOf(body: object, key: string): Promise<string[]> {
  return fontNames(await print(body, key));
}

/**
 * Returns the sorted characters of each page. A break within a long word may move, because installed fonts
 * have hinted widths.
 */
async function charactersByPage(pdf: Uint8Array): Promise<string[]> {
  return (await pdfText(pdf))
    .split('\f')
    .map((page) => page.replaceAll(/\s/g, '').split('').toSorted().join(''));
}

/** A document with a line of text for each face, `700 italic`. */
const lines = (family: string, faces: readonly string[]) =>
  faces
    .map((face) => {
      const [weight, style] = face.split(' ');
      return `<p style="font-family: '${family}'; font-weight: ${weight}; font-style: ${style}">Hamburgefonts</p>`;
    })
    .join('');

const FACES = ['400 normal', '600 normal', '700 normal', '400 italic', '700 italic'];

describeWithPdfTools('an uploaded face of an installed family', () => {
  test.each([
    ['a plain document', lines('Inter', FACES), 'plain'],
    ['a document with scripts', `<script></script>${lines('Inter', FACES)}`, 'active'],
    [
      'a document that is visible on the screen',
      `<i style="background:url(data:,)"></i>${lines('Inter', FACES)}`,
      'plain',
    ],
  ])('leaves the other faces as they are in %s', async (_, html) => {
    const before = await fontsOf({ html }, await service().newKey());
    expect(before).toEqual([
      'Inter-Bold',
      'Inter-BoldItalic',
      'Inter-Italic',
      'Inter-Regular',
      'Inter-SemiBold',
    ]);
    const key = await service().newKey();
    await upload(key, 'inter-italic.ttf', interItalic);
    for (let time = 1; time <= 2; time += 1)
      expect(await fontsOf({ html, options: { strict: true } }, key)).toEqual(before);
  });

  test('does not change a document that requests no italics', async () => {
    const html = lines('Inter', ['400 normal', '600 normal', '700 normal']);
    const key = await service().newKey();
    const before = await drawPages(await print({ html }, key), { dpi: 60 });
    await upload(key, 'inter-italic.ttf', interItalic);
    expect((await drawPages(await print({ html }, key), { dpi: 60 })).equals(before)).toBe(true);
  });

  test('replaces the same face only', async () => {
    const key = await service().newKey();
    await upload(key, 'mine.ttf', renameFont(trueTypeFont, 'Mine'), {
      family: 'inter',
      weight: 700,
      style: 'italic',
    });
    const names = await fontsOf({ html: lines('Inter', FACES), options: { strict: true } }, key);
    expect(names).toEqual(
      ['Inter-Italic', 'Inter-Regular', 'Inter-SemiBold', 'Inter-Bold', 'Mine'].toSorted(),
    );
  });

  test('with a range of weights replaces all of them, and keeps the italics', async () => {
    const key = await service().newKey();
    await upload(key, 'mine.ttf', renameFont(trueTypeFont, 'Mine'), {
      family: 'Inter',
      weight: '100 900',
      style: 'normal',
    });
    const names = await fontsOf({ html: lines('Inter', FACES), options: { strict: true } }, key);
    expect(names).toEqual(['Inter-BoldItalic', 'Inter-Italic', 'Mine']);
  });

  test('leaves the other faces as they are in header, footer and margin boxes', async () => {
    const box = '@page { @bottom-left { content: "margin"; font: 800 8pt Inter } }';
    const body = {
      html: `<style>${box}</style>${lines('Inter', ['600 normal'])}`,
      options: {
        header: `<div style="font-size: 10px">${lines('Inter', ['400 normal', '700 normal'])}</div>`,
        footer: `<div style="font-size: 10px">${lines('Inter', ['400 italic', '300 normal'])}</div>`,
        strict: true,
      },
    };
    const key = await service().newKey();
    const before = await fontsOf(body, key);
    expect(before).toContain('Inter-Light');
    await upload(key, 'inter-italic.ttf', interItalic);
    expect(await fontsOf(body, key)).toEqual(before);
  });

  test('leaves the other faces of a family that another one stands in for', async () => {
    const key = await service().newKey();
    await upload(key, 'mine.ttf', renameFont(trueTypeFont, 'Mine'), {
      family: 'Arial',
      weight: 400,
      style: 'italic',
    });
    expect(await fontsOf({ html: lines('Arial', FACES), options: { strict: true } }, key)).toEqual([
      'LiberationSans',
      'LiberationSans-Bold',
      'LiberationSans-BoldItalic',
      'Mine',
    ]);
  });

  test('of a family that is not installed has only the uploaded faces', async () => {
    const key = await service().newKey();
    await upload(key, 'mine.ttf', renameFont(trueTypeFont, 'Mine'));
    const names = await fontsOf({ html: lines('Mine', ['400 normal']), options: { strict: true } }, key);
    expect(names).toEqual(['Mine']);
  });

  test.each(casesOfSuite(starters, 26).map((starter) => [starter.slug, starter] as const))(
    'prints the starter %s as before',
    async (_, starter) => {
      const request = requestFor(starter, starter.sample_data) as { output?: string };
      delete request.output;
      const key = await service().newKey();
      const before = await print(request, key);
      await upload(key, 'inter-italic.ttf', interItalic);
      const after = await print(request, key);
      expect(await fontNames(after)).toEqual(await fontNames(before));
      expect(await charactersByPage(after)).toEqual(await charactersByPage(before));
    },
  );
});
