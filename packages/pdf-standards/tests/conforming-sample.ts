import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { Dict, PdfDocument, PdfStream, readPages, Ref, resolve, writePdf } from '@platen/pdf/objects';

/**
 * A document that can be converted to PDF/A-1b. It contains text, an image, a form XObject, device and spot
 * colours, an outline, a link and form fields.
 */
export const convertible = plainPdf([
  '<</Type/Catalog/Pages 2 0 R/Outlines<</First 9 0 R/Last 9 0 R/Count 1>>/AcroForm<</Fields[10 0 R 11 0 R]/DR<</Font<</F 5 0 R>>>>/DA(/F 9 Tf)>>>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R/X 7 0 R>>/ExtGState<</G<</Type/ExtGState/LW 1>>>>/ColorSpace<</S[/Separation/Spot/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 0 0]/N 1>>]>>>>/Contents 4 0 R/Annots[8 0 R 10 0 R 11 0 R]>>',
  stream(
    '/G gs BT /F 12 Tf 10 80 Td (Text) Tj ET q 20 0 0 20 10 10 cm /I Do Q /X Do 1 0 0 rg 0 .5 1 RG 100 10 20 20 re B',
  ),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  stream('\u0080', '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray'),
  stream('50 10 20 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 200 100]/Resources<<>>'),
  '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>',
  '<</Title(Item)/A<</S/Named/N/NextPage>>>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Value)/Rect[150 60 190 80]>>',
  '<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[150 10 160 20]/AS/Off/AP<</N<</Yes 7 0 R/Off 7 0 R>>>>>>',
]);

/** An opened conforming document, and those of its objects that mutations change. */
export interface ConformingDocument {
  document: PdfDocument;
  catalog: Dict;
  info: Dict;
  page: Dict;
  resources: Dict;
  link: Dict;
  field: Dict;
  button: Dict;
  font: Dict;
  image: PdfStream;
  form: PdfStream;
  replace: (replaced: PdfStream, by: PdfStream) => void;
}

/** Opens a conforming PDF for changes. */
export function openConforming(pdf: Uint8Array): ConformingDocument {
  const document = PdfDocument.open(pdf);
  const [page = new Dict()] = readPages(document).pages.map(({ dict }) => dict);
  const resources = page.dict('Resources') ?? new Dict();
  const annotations = (page.array('Annots') ?? []).map((annotation) => resolve(annotation) as Dict);
  const [link = new Dict(), field = new Dict(), button = new Dict()] = annotations;
  const refs = [...document.xref.entries.keys()].map((number) => document.ref(number));
  return {
    document,
    catalog: document.catalog,
    info: document.trailer.dict('Info') ?? new Dict(),
    page,
    resources,
    link,
    field,
    button,
    font: resources.dict('Font')?.dict('F') ?? new Dict(),
    image: resources.dict('XObject')?.get('I') as PdfStream,
    form: resources.dict('XObject')?.get('X') as PdfStream,
    replace(replaced, by) {
      for (const ref of refs) if (ref.value === replaced) ref.value = by;
    },
  };
}

/** Rewrites a conforming PDF after a change to its objects. */
export function changed(pdf: Uint8Array, change: (sample: ConformingDocument) => void): Uint8Array {
  const opened = openConforming(pdf);
  change(opened);
  const { trailer } = opened.document;
  const [root, info] = [trailer.raw('Root'), trailer.raw('Info')];
  if (!(root instanceof Ref) || !(info instanceof Ref)) throw new Error('the sample has no root');
  return writePdf({ root, info, version: '1.4', compact: false });
}
