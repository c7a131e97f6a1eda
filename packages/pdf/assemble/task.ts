import { addAttachments, type NewAttachment } from '../attachments/attachments.ts';
import { forField, toResult, type Result } from '../input.ts';
import { PdfDocument } from '../objects/index.ts';
import { removeStructure } from '../outline/remove-structure.ts';
import { protectDocument, type ProtectionRequest } from '../protect/protect.ts';
import { placeSignatureFields } from './signature-fields.ts';
import { setProperties, type PropertyChanges } from '../properties/properties.ts';
import { overlayPages, type Overlay } from './overlay.ts';
import { reorderPages } from './reorder.ts';
import { drawWatermark, type Watermark } from '../watermark/watermark.ts';

/** How to complete a document. */
export interface AssemblyRequest {
  pdf: Uint8Array;
  /** Pages to draw over its pages. */
  overlays?: readonly Overlay[] | undefined;
  /** The new order of its pages; see {@link reorderPages}. */
  order?: readonly number[] | undefined;
  /** Whether to remove the structure tree. */
  untag?: boolean | undefined;
  watermark?: Watermark | undefined;
  attachments?: readonly NewAttachment[] | undefined;
  properties?: PropertyChanges | undefined;
  protect?: ProtectionRequest | undefined;
  /** Whether to add signature fields at the places that links mark. */
  signatureFields?: boolean | undefined;
  /** The paths that errors name. The watermark has its own. */
  paths: { attachments: string; ownerPassword: string; userPassword: string };
}

/**
 * Completes a document. Draws overlays, reorders the pages, adds signature fields, removes the structure
 * tree, draws the watermark, adds attachments, sets properties, and encrypts the document, in this order.
 * Failures are results for callers in another process.
 */
export function assemble(request: AssemblyRequest): Result<Uint8Array> {
  const {
    overlays = [],
    order,
    untag,
    signatureFields,
    watermark,
    attachments = [],
    properties,
    protect,
    paths,
  } = request;
  const complete = () => {
    let { pdf } = request;
    if (overlays.length > 0) pdf = overlayPages(PdfDocument.open(pdf), overlays);
    if (order) pdf = reorderPages(PdfDocument.open(pdf), order);
    if (signatureFields) pdf = placeSignatureFields(PdfDocument.open(pdf));
    if (untag) pdf = removeStructure(PdfDocument.open(pdf));
    if (watermark) pdf = drawWatermark(PdfDocument.open(pdf), watermark);
    if (attachments.length > 0)
      pdf = addAttachments(PdfDocument.open(pdf), attachments, {
        field: paths.attachments,
        now: Date.now(),
      });
    if (properties) pdf = setProperties(PdfDocument.open(pdf), properties, Date.now());
    if (protect) pdf = protectDocument(PdfDocument.open(pdf), protect, paths);
    return pdf;
  };
  return toResult(() => forField('pdf', complete));
}
