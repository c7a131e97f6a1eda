import { convertToPdfa } from '@platen/pdf-standards';
import { PdfDocument, PdfStream, readPages, Ref, writePdf } from '../../../packages/pdf/objects/index.ts';
import { convertible, openConforming } from '../../../packages/pdf-standards/tests/conforming-sample.ts';
import { CID_FONT_SAMPLES } from '../../../packages/pdf-standards/tests/rules/cid-fonts.ts';
import { TRUETYPE_SAMPLES } from '../../../packages/pdf-standards/tests/rules/truetype.ts';
import { taggedFile } from './tagged-file.ts';

/**
 * Shows text in each font of the samples of PDF/A, in files that conform to PDF/UA-1 otherwise (7.21).
 * Returns the files by name.
 */
export async function fontFiles(): Promise<Map<string, Uint8Array>> {
  const source = await convertToPdfa(Buffer.from(convertible, 'latin1'), { title: 'Title', level: '2b' });
  return new Map(
    [...TRUETYPE_SAMPLES, ...CID_FONT_SAMPLES].map(({ name, change }) => {
      const { page, resources } = openConforming(change(source));
      const content = page.get('Contents');
      const text = content instanceof PdfStream ? Buffer.from(content.raw).toString('latin1') : '';
      const [, shown = ''] = / Tf (.*) Tj/.exec(text) ?? [];
      const tagged = PdfDocument.open(
        taggedFile({ content: `/P<</MCID 0>>BDC BT /F 9 Tf ${shown} Tj ET EMC` }),
      );
      const fonts = readPages(tagged).pages[0]?.dict.dict('Resources')?.dict('Font');
      fonts?.set('F', resources.dict('Font')?.raw('C'));
      const root = tagged.trailer.raw('Root');
      if (!fonts || shown === '' || !(root instanceof Ref)) throw new Error(`${name} shows no font`);
      return [name, writePdf({ root, version: '1.7', compact: false })];
    }),
  );
}
