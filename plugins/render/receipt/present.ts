import { presentOptionalProof, type Static } from '../../../src/plugin.ts';
import type { Generation } from '../contract.ts';
import type { Receipt, Resource } from './receipt.ts';
import type { ReceiptAnswer } from './schema.ts';

/** Presents the receipt of a generation, whose record has the proof. */
export function presentReceipt(
  receipt: Receipt,
  { proof }: Pick<Generation, 'proof'>,
): Static<typeof ReceiptAnswer> {
  const {
    documentClass,
    phases,
    resources,
    console,
    exceptions,
    missingGlyphs,
    schemaMismatches,
    missingVariables = { entries: [], omitted: 0 },
    overflow = null,
    accessibility,
  } = receipt;
  return {
    class: documentClass,
    phases,
    resources: { ...resources, entries: resources.entries.map(presentResource) },
    console,
    exceptions,
    missing_glyphs: missingGlyphs,
    schema_mismatches: schemaMismatches,
    missing_variables: missingVariables,
    overflow: overflow && { scale: overflow.scale, clipped: overflow.isClipped },
    proof: presentOptionalProof(proof),
    ...(accessibility && { accessibility }),
  };
}

/** Presents a resource. Receipts of earlier versions have no media types. */
function presentResource({ mimeType, ...resource }: StoredResource) {
  return { ...resource, mime_type: mimeType ?? null };
}

type StoredResource = Omit<Resource, 'mimeType'> & Partial<Pick<Resource, 'mimeType'>>;
