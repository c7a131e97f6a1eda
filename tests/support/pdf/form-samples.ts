import type { PNG } from 'pngjs';
import { plainPdf, stream } from './samples.ts';

/**
 * The field flags (`/Ff`) of ISO 32000-1, 12.7.3.1 and 12.7.4. The tests do not use the product's list, so
 * they notice a wrong flag in it.
 */
export const FLAG = {
  readOnly: 1,
  required: 1 << 1,
  multiline: 1 << 12,
  password: 1 << 13,
  noToggleToOff: 1 << 14,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  multiSelect: 1 << 21,
  comb: 1 << 24,
  radiosInUnison: 1 << 25,
} as const;

/** Creates a widget of 100 x 20 points at 10, 10, with more entries. */
export function widget(entries: string): string {
  const rect = entries.includes('/Rect') ? '' : '/Rect[10 10 110 30]';
  return `<</Type/Annot/Subtype/Widget/F 4${rect}${entries}>>`;
}

/** Creates empty appearances for the states of a button. Names are written as they are. */
export function states(...names: string[]): string {
  return `/AP<</N<<${names.map((name) => `/${name} 5 0 R`).join('')}/Off 5 0 R>>>>`;
}

interface FormOptions {
  /** Additional entries of the form and of the page. */
  form?: string;
  page?: string;
  /** Objects after the fields. */
  objects?: readonly string[];
  /** References in the page's annotations and in the form's fields; by default all fields. */
  shown?: string;
  listed?: string;
}

/**
 * Creates a form of one page of 600 x 800 points. Fields are objects from 6 on and belong to the form and the
 * page. Object 4 is Helvetica in WinAnsi encoding, `/Helv` in the form's resources. Object 5 is an empty
 * appearance.
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

/** A pixel is dark if one of its colour channels, from 0 to 255, is below this value. */
const DARK_BELOW = 200;

/** Counts the dark pixels in a box, in page units, on a page rendered at 72 dots per inch. */
export function countDarkPixels(
  page: PNG | undefined,
  [left, bottom, right, top]: readonly [number, number, number, number],
): number {
  if (!page) throw new Error('the page was not rendered');
  let count = 0;
  for (let y = Math.max(page.height - top, 0); y < Math.min(page.height - bottom, page.height); y++)
    for (let x = Math.max(left, 0); x < Math.min(right, page.width); x++) {
      const at = (Math.round(y) * page.width + Math.round(x)) * 4;
      if (page.data.subarray(at, at + 3).some((part) => part < DARK_BELOW)) count++;
    }
  return count;
}
