import { requireInertMarginal } from './marginals.ts';
import { toPrintSetup } from './print-options.ts';
import type { GenerateOptions } from './schemas.ts';

/**
 * Refuses options of a generation that fit the schema and yet make no PDF: lengths and room on the paper, and a header or footer that
 * is not inert. Header and footer are given as Handlebars leaves them.
 * @throws {AppError} VALIDATION_ERROR that names `options.<name>`.
 */
export function checkOptions(options: GenerateOptions): void {
  toPrintSetup(options);
  requireInertMarginal('options.header', options.header);
  requireInertMarginal('options.footer', options.footer);
}
