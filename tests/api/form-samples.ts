import type { PNG } from 'pngjs';
import { plainPdf, stream } from './pdf-samples.ts';

/** A widget of 100 x 20 points at 10, 10, with more entries. */
export function widget(entries: string): string {
  const rect = entries.includes('/Rect') ? '' : '/Rect[10 10 110 30]';
  return `<</Type/Annot/Subtype/Widget/F 4${rect}${entries}>>`;
}

/** The appearances of a button: empty ones for each state, by its name as it is written. */
export function states(...names: string[]): string {
  return `/AP<</N<<${names.map((name) => `/${name} 5 0 R`).join('')}/Off 5 0 R>>>>`;
}

interface FormOptions {
  /** Entries of the form and of the page. */
  form?: string;
  page?: string;
  /** What stands behind the fields. */
  objects?: readonly string[];
  /** What the page and the form list; the fields when absent. */
  shown?: string;
  listed?: string;
}

/**
 * A form of one page of 600 x 800 points. The fields are objects from 6 on, all of them in the form and on the page; object 4 is
 * Helvetica in WinAnsi, `/Helv` in the form's resources, and object 5 an empty appearance.
 */
export function formPdf(
  fields: readonly string[],
  { form = '', page = '', objects = [], shown, listed }: FormOptions = {},
): string {
  const refs = fields.map((_, index) => `${6 + index} 0 R`).join(' ');
  return plainPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${listed ?? refs}]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 4 0 R>>>>${form}>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<>>/Annots[${shown ?? refs}]${page}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    stream('', '/Type/XObject/Subtype/Form/BBox[0 0 100 20]'),
    ...fields,
    ...objects,
  ]);
}

/**
 * Counts the pixels of a page of 800 points height, drawn at 72 dots per inch, that are not white in a box of page units.
 */
export function inkIn(
  page: PNG | undefined,
  [left, bottom, right, top]: readonly [number, number, number, number],
): number {
  if (!page) throw new Error('the page was not drawn');
  let ink = 0;
  for (let y = Math.max(page.height - top, 0); y < Math.min(page.height - bottom, page.height); y++)
    for (let x = Math.max(left, 0); x < Math.min(right, page.width); x++) {
      const at = (Math.round(y) * page.width + Math.round(x)) * 4;
      if (page.data.subarray(at, at + 3).some((part) => part < 200)) ink++;
    }
  return ink;
}
