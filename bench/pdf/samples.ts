import { deflateSync } from 'node:zlib';
import {
  buildPageTree,
  Dict,
  encodeText,
  name,
  PdfStream,
  Ref,
  writePdf,
  type PdfObject,
} from '@platen/pdf/objects';

/** Contents of a sample document. */
export interface SampleShape {
  pages: number;
  /** Size of the image on each page; 0 for no image. */
  imageBytes: number;
  /** Packs objects into object streams. */
  compact?: boolean;
}

const WORDS = 'the quick brown fox jumps over the lazy dog while rain falls on the old stone bridge'.split(
  ' ',
);

/**
 * Creates a typical document: different text on each page, two fonts shared by all pages, and a link and a
 * bookmark per page.
 */
export function makeSample({ pages, imageBytes, compact = false }: SampleShape): Buffer {
  const fonts = Dict.of({ F1: font('Helvetica'), F2: font('Times-Roman') });
  const root = Ref.to(new Dict());
  const dicts = Array.from({ length: pages }, (_, page) => makePage(page, fonts, imageBytes));
  const refs = dicts.map((dict) => Ref.to(dict));
  const tree = buildPageTree(refs, (ref, parent) => {
    const dict = ref.value;
    if (dict instanceof Dict) dict.set('Parent', parent);
  });
  for (const [page, dict] of dicts.entries())
    dict.set('Annots', [Ref.to(link(refs[(page + 1) % pages] ?? null))]);
  root.value = Dict.of({ Type: name('Catalog'), Pages: tree, Outlines: bookmarks(refs) });
  return writePdf({ root, version: '1.6', compact });
}

function makePage(page: number, fonts: Dict, imageBytes: number): Dict {
  const lines = Array.from({ length: 40 }, (_, line) => {
    const words = Array.from(
      { length: 12 },
      (__, word) => WORDS[(page * 7 + line * 5 + word * (line + 3)) % WORDS.length],
    );
    return `BT /F${1 + (line % 2)} 11 Tf 1 0 0 1 50 ${780 - line * 18} Tm (${page}.${line} ${words.join(' ')}) Tj ET`;
  });
  const resources = Dict.of({ Font: fonts });
  if (imageBytes > 0) {
    lines.push('q 400 0 0 300 50 50 cm /Im1 Do Q');
    resources.set('XObject', Dict.of({ Im1: Ref.to(image(imageBytes)) }));
  }
  return Dict.of({
    Type: name('Page'),
    MediaBox: [0, 0, 595, 842],
    Resources: resources,
    Contents: Ref.to(deflated(Buffer.from(lines.join('\n')))),
  });
}

function font(family: string): Ref {
  const program = deflated(crypto.getRandomValues(new Uint8Array(30_000)));
  const descriptor = Dict.of({
    Type: name('FontDescriptor'),
    FontName: name(family),
    FontFile2: Ref.to(program),
  });
  return Ref.to(
    Dict.of({
      Type: name('Font'),
      Subtype: name('TrueType'),
      BaseFont: name(family),
      FirstChar: 32,
      LastChar: 255,
      Widths: Array.from({ length: 224 }, (_, index) => 300 + index),
      FontDescriptor: Ref.to(descriptor),
    }),
  );
}

function image(bytes: number): PdfStream {
  const data = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536));
  const dict = {
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: 100,
    Height: 100,
    BitsPerComponent: 8,
  };
  return new PdfStream(Dict.of({ ...dict, ColorSpace: name('DeviceRGB'), Filter: name('DCTDecode') }), data);
}

function deflated(data: Uint8Array): PdfStream {
  return new PdfStream(Dict.of({ Filter: name('FlateDecode') }), deflateSync(data));
}

function link(page: PdfObject): Dict {
  return Dict.of({
    Type: name('Annot'),
    Subtype: name('Link'),
    Rect: [50, 20, 150, 40],
    Dest: [page, name('Fit')],
  });
}

function bookmarks(pages: readonly Ref[]): Ref {
  const root = Ref.to(new Dict());
  const items = pages.map((page, index) =>
    Ref.to(Dict.of({ Title: encodeText(`Page ${index + 1}`), Parent: root, Dest: [page, name('Fit')] })),
  );
  for (const [index, item] of items.entries()) {
    const { value } = item;
    if (value instanceof Dict) value.set('Prev', items[index - 1]).set('Next', items[index + 1]);
  }
  root.value = Dict.of({ First: items[0], Last: items.at(-1), Count: items.length });
  return root;
}
