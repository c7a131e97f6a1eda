import { deflateSync } from 'node:zlib';
import type { PdfDocument } from './document.ts';
import { PdfError } from './errors.ts';
import { decodeStream } from './filters.ts';
import { asDict, Dict, name, PdfStream, Ref, resolve, type PdfObject } from './objects.ts';
import { standalone, type Page } from './page-tree.ts';

/** How a page is put into another document. */
export interface FormShape {
  /** What is seen of the page, in its own units: left, bottom, right, top. */
  box: readonly [number, number, number, number];
  /** Six numbers that turn and scale it; none leaves it as it is. */
  matrix?: readonly number[];
}

/**
 * Makes a form XObject (ISO 32000-1 8.10) of a page's content, with its resources. It may be put into the graph of another document,
 * which then holds what the form reaches, fonts included, and nothing else of the page's document.
 * @throws {PdfError} when the content cannot be read.
 */
export function formOfPage(document: PdfDocument, page: Page, { box, matrix }: FormShape): Ref {
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
  // A token ends where its stream does.
  const joined = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
  return Ref.to(new PdfStream(form.set('Filter', name('FlateDecode')), deflateSync(joined)));
}

function contentOf({ budget }: PdfDocument, part: PdfObject): Uint8Array {
  const stream = resolve(part);
  if (!(stream instanceof PdfStream)) return new Uint8Array();
  const content = decodeStream(stream, budget);
  if (!content) throw new PdfError('damaged', 'has a page whose content cannot be read');
  return content;
}
