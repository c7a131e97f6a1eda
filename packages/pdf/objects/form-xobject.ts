import { deflateSync } from 'node:zlib';
import type { PdfDocument } from './document.ts';
import { PdfError } from './errors.ts';
import { decodeStream } from './filters.ts';
import { asDict, Dict, name, PdfStream, Ref, resolve, type PdfObject } from './objects.ts';
import { standalone, type Page } from './page-tree.ts';

/** How to show a page as a form XObject. */
export interface FormXObjectOptions {
  /** The visible part of the page in its user space: left, bottom, right, top. */
  box: readonly [number, number, number, number];
  /** The transformation matrix. The default is the identity matrix. */
  matrix?: readonly number[];
}

/**
 * Makes a form XObject (ISO 32000-1 8.10) from the content and resources of a page. It can be added to
 * another document, which then contains only the objects that the form XObject references, such as fonts.
 * @throws {PdfError} if the content is unreadable.
 */
export function formXObjectOfPage(
  document: PdfDocument,
  page: Page,
  { box, matrix }: FormXObjectOptions,
): Ref {
  const dict = standalone(page);
  const form = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [...box],
    Matrix: matrix && [...matrix],
    Resources: dict.get('Resources') === undefined ? new Dict() : dict.raw('Resources'),
    Group: asDict(dict.raw('Group')) && dict.raw('Group'),
  });
  const contents = dict.get('Contents');
  if (contents instanceof PdfStream) {
    for (const key of ['Filter', 'DecodeParms']) form.set(key, contents.dict.raw(key));
    return Ref.to(new PdfStream(form, () => contents.raw));
  }
  const parts = (Array.isArray(contents) ? contents : []).map((part) => contentOf(document, part));
  // A token cannot continue in the next stream.
  const joined = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
  return Ref.to(new PdfStream(form.set('Filter', name('FlateDecode')), deflateSync(joined)));
}

function contentOf({ budget }: PdfDocument, part: PdfObject): Uint8Array {
  const stream = resolve(part);
  if (!(stream instanceof PdfStream)) return new Uint8Array();
  const content = decodeStream(stream, budget);
  if (!content) throw new PdfError('damaged', 'has a page with unreadable content');
  return content;
}
