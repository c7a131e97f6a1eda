import type { Static } from '../../../src/plugin.ts';
import type { Receipt } from './receipt.ts';
import type { ReceiptAnswer } from './schema.ts';

/** Presents a receipt. */
export function presentReceipt(receipt: Receipt): Static<typeof ReceiptAnswer> {
  const { documentClass, phases, resources, console, exceptions, missingGlyphs, schemaMismatches } = receipt;
  return {
    class: documentClass,
    phases,
    resources,
    console,
    exceptions,
    missing_glyphs: missingGlyphs,
    schema_mismatches: schemaMismatches,
  };
}
