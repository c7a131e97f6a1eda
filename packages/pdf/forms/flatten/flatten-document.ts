import {
  asDict,
  decodeStream,
  Dict,
  InputFault,
  metadataWithoutClaims,
  type PdfDocument,
  type PdfStream,
} from '../../objects/index.ts';
import { DOCUMENT_CHANGE, requirePermission } from '../../edit/permission.ts';
import { drawAnnotation } from '../appearance/annotation-appearance.ts';
import { drawFields } from '../appearance/draw-fields.ts';
import { TextPainter } from '../appearance/widget-appearance.ts';
import { readForm, type Form } from '../fields/read-fields.ts';
import { readSignatures } from '../fields/signatures.ts';
import { Edits } from '../edits/edits.ts';
import type { FormResult } from '../form-result.ts';
import { dropUsageRights } from '../edits/usage-rights.ts';
import { flattenForm } from './flatten.ts';
import { currentAppearance } from './place-appearance.ts';

/** The limits on drawing annotations without appearances. Annotations beyond them stay annotations. */
const BUDGET = { coordinates: 2_000_000, bytes: 20_000_000 };

/**
 * Turns fields and annotations into page content, exactly as they look, and removes the form. Links, attached
 * files and annotations that cannot be drawn stay. `drawn` contains the PDFs of the texts that an earlier
 * call returned in `toDraw`. The document must not be used afterwards.
 * @throws {InputFault} if the document is signed, or its permissions forbid changes.
 */
export function flattenDocument(
  document: PdfDocument,
  { drawn }: { drawn?: readonly Uint8Array[] | undefined },
): FormResult {
  requirePermission(document, DOCUMENT_CHANGE);
  const form = readForm(document);
  if (readSignatures(document, form).signed)
    throw new InputFault('pdf', 'is signed, and flattening would invalidate the signature');
  const edits = new Edits(document);
  const painter = new TextPainter(form.dict, drawn, 'pdf');
  const unpack = (stream: PdfStream) => decodeStream(stream, document.budget);
  const others = form.dict?.get('NeedAppearances') === true ? 'all' : 'missing';
  const hasDrawn = drawFields(form, { painter, edits, unpack, filled: new Set(), others });
  if (painter.toDraw.length > 0 && !drawn) return { toDraw: painter.toDraw };
  // New appearances may use fonts that are not embedded, or transparency.
  if (drawMissing(form) || hasDrawn) {
    const metadata = metadataWithoutClaims(document);
    if (metadata) edits.touchCatalog().set('Metadata', metadata);
  }
  flattenForm(document, form, { edits, annotations: true });
  dropUsageRights(document, edits);
  return { pdf: edits.write({ signed: false, rewrite: true }) };
}

/** Draws the missing appearances of annotations. Returns whether it drew any. */
function drawMissing({ pages }: Form): boolean {
  const budget = { ...BUDGET };
  let hasDrawn = false;
  for (const page of pages)
    for (const item of page.dict.array('Annots') ?? []) {
      const annotation = asDict(item);
      if (!(annotation instanceof Dict) || currentAppearance(annotation)) continue;
      if (drawAnnotation(annotation, budget)) hasDrawn = true;
    }
  return hasDrawn;
}
