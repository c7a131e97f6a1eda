import { plainPdf, stream } from './pdf-samples.ts';

/** A widget of 100 x 20 points at 10, 10, with more entries. */
export function widget(entries: string): string {
  const rect = entries.includes('/Rect') ? '' : '/Rect[10 10 110 30]';
  return `<</Type/Annot/Subtype/Widget/F 4${rect}${entries}>>`;
}

/**
 * A form of one page of 600 x 800 points. The fields are objects from 6 on, all of them in the form and on the page; object 4 is
 * Helvetica in WinAnsi, `/Helv` in the form's resources, and object 5 an empty appearance.
 */
export function formPdf(
  fields: readonly string[],
  { form = '', page = '', objects = [] }: { form?: string; page?: string; objects?: readonly string[] } = {},
): string {
  const refs = fields.map((_, index) => `${6 + index} 0 R`).join(' ');
  return plainPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${refs}]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 4 0 R>>>>${form}>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<>>/Annots[${refs}]${page}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    stream('', '/Type/XObject/Subtype/Form/BBox[0 0 100 20]'),
    ...fields,
    ...objects,
  ]);
}
