import { type Static } from '../../../src/plugin.ts';
import { presentOptionalProof } from '../../files/exports.ts';
import type { Generation } from '../contract.ts';
import type { Receipt, Resource } from './receipt.ts';
import type { ReceiptResponse } from './schema.ts';

/** Presents the receipt of a generation, whose record has the proof. */
export function presentReceipt(
  receipt: Receipt,
  { proof }: Pick<Generation, 'proof'>,
): Static<typeof ReceiptResponse> {
  const {
    documentClass,
    phases,
    resources,
    console,
    exceptions,
    missingGlyphs,
    schemaMismatches,
    missingVariables,
    overflow,
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
    missing_variables: {
      ...missingVariables,
      entries: missingVariables.entries.map(({ path, count, place }) => ({
        path,
        count,
        ...(place !== undefined && { place }),
      })),
    },
    overflow: overflow && { scale: overflow.scale, clipped: overflow.isClipped },
    proof: presentOptionalProof(proof),
    ...(accessibility && { accessibility }),
  };
}

function presentResource({ mimeType, ...resource }: Resource) {
  return { ...resource, mime_type: mimeType };
}
