import { posix } from 'node:path';
import {
  asDict,
  decodeText,
  encodeText,
  informationOf,
  Ref,
  writePdf,
  type Page,
  type PdfDocument,
} from '@platen/pdf/objects';

const FILE = 'file://';

/**
 * Makes links relative to the document that LibreOffice has resolved against its folder. Returns `undefined`
 * if there are none. The document must not be used afterwards.
 * @param folder the folder of the document, with the slash at its end
 * @param root the folder that contains only this document
 */
export function relativeLinks(
  document: PdfDocument,
  pages: readonly Page[],
  { folder, root }: { folder: string; root: string },
): Uint8Array | undefined {
  let changed = false;
  for (const { dict } of pages)
    for (const annotation of dict.array('Annots') ?? []) {
      const action = asDict(annotation)?.dict('A');
      const uri = action?.string('URI');
      if (!action || !uri) continue;
      const text = decodeText(uri);
      if (!text.startsWith(`${FILE}${root}`)) continue;
      const [path = '', ...rest] = text.slice(FILE.length).split('#');
      const link = [posix.relative(folder, path), ...rest].join('#');
      action.set('URI', encodeText(link));
      changed = true;
    }
  if (!changed) return undefined;
  return writePdf({
    root: Ref.to(document.catalog),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}
