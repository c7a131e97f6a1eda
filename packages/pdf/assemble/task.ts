import { addAttachments, type NewAttachment } from '../attachments/attachments.ts';
import type { Result } from '../input.ts';
import { InputFault, PdfDocument, PdfError } from '../objects/index.ts';
import { removeStructure } from '../outline/remove-structure.ts';
import { protectDocument, type ProtectionRequest } from '../protect/protect.ts';
import { placeSignatureFields } from '../signatures/sign/html-fields.ts';
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
  /** Whether links mark the places of signature fields. */
  signatureFields?: boolean | undefined;
}

const PASSWORD_FIELDS = {
  ownerPassword: 'options.protect.ownerPassword',
  userPassword: 'options.protect.userPassword',
};

/** Completes a document: overlays, the order of its pages, its properties, then its encryption. Failures are results for callers in another process. */
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
  } = request;
  try {
    let { pdf } = request;
    if (overlays.length > 0) pdf = overlayPages(PdfDocument.open(pdf), overlays);
    if (order) pdf = reorderPages(PdfDocument.open(pdf), order);
    if (signatureFields) pdf = placeSignatureFields(PdfDocument.open(pdf));
    if (untag) pdf = removeStructure(PdfDocument.open(pdf));
    if (watermark) pdf = drawWatermark(PdfDocument.open(pdf), watermark);
    if (attachments.length > 0)
      pdf = addAttachments(PdfDocument.open(pdf), attachments, {
        field: 'options.attachments',
        now: Date.now(),
      });
    if (properties) pdf = setProperties(PdfDocument.open(pdf), properties, Date.now());
    if (protect) pdf = protectDocument(PdfDocument.open(pdf), protect, PASSWORD_FIELDS);
    return { ok: true, value: pdf };
  } catch (error) {
    if (error instanceof InputFault)
      return { ok: false, code: 'INVALID_INPUT', message: error.message, part: error.field };
    if (!(error instanceof PdfError)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
  }
}
