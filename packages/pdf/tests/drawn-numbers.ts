import { plainPdf, stream } from './plain-pdf.ts';

/** Width in points that the link has for each character. */
const CHARACTER_WIDTH = 12;

/**
 * Creates a file like the one that a browser draws for `numberPages`: the digits 0 to 9 and then the texts,
 * in Helvetica of 20 points. Each is on its own page, with a link around it.
 */
export function drawnNumbers(texts: readonly string[]): string {
  const pieces = [...Array.from('0123456789'), ...texts];
  const objects = pieces.flatMap((text, index) => [
    `<</Type/Page/Parent 2 0 R/Contents ${5 + 2 * index} 0 R/Resources<</Font<</F 3 0 R>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 ${CHARACTER_WIDTH * text.length} 24]>>]>>`,
    stream(`BT /F 20 Tf 0 6 Td (${text}) Tj ET`),
  ]);
  const kids = pieces.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pieces.length}/MediaBox[0 0 300 100]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...objects,
  ]);
}
