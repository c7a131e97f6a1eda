import { formatCountOf } from '../data/format.ts';
import type { Receipt } from '../data/types.ts';

/** Lists the problems in a receipt, each as a short phrase without a full stop. */
export function warningsOf(receipt: Receipt): string[] {
  const { resources, exceptions, missing_glyphs: glyphs, schema_mismatches: mismatches } = receipt;
  const { entries: absent, omitted } = receipt.missing_variables;
  const messages = absent.filter(({ path }) => path.startsWith('translations.')).length;
  const values = absent.length - messages + omitted;
  const failed = resources.entries.filter(({ reason }) => reason !== null).length;
  const errors = exceptions.entries.length + exceptions.omitted;
  const differing = mismatches.entries.length + mismatches.omitted;
  const inaccessible = receipt.accessibility !== undefined && receipt.accessibility.claim === null;
  return [
    failed > 0 && `${formatCountOf(failed, 'resource')} could not be loaded`,
    errors > 0 && formatCountOf(errors, 'script error'),
    glyphs !== null && glyphs.count > 0 && `${formatCountOf(glyphs.count, 'character')} without a glyph`,
    differing > 0 && `${formatCountOf(differing, 'value')} missing or of another type than in the schema`,
    values > 0 && `${formatCountOf(values, 'value')} missing from the data`,
    messages > 0 && `${formatCountOf(messages, 'message')} missing, incomplete or in another language`,
    inaccessible && 'The document does not conform to PDF/UA-1',
  ].filter((warning) => warning !== false);
}
