import type { GenerateOptions } from '../../documents/contract.ts';
import { requireInertHeaderOrFooter } from './header-footer.ts';
import { toPrintSetup } from './print-options.ts';

/**
 * Validates options beyond their schema: the lengths, the space on the paper, and that header and footer are
 * inert. Pass header and footer after Handlebars has rendered them.
 * @throws {AppError} VALIDATION_ERROR that names `options.<name>`.
 */
export function checkOptions(options: GenerateOptions): void {
  toPrintSetup(options);
  requireInertHeaderOrFooter('options.header', options.header);
  requireInertHeaderOrFooter('options.footer', options.footer);
  requireInertHeaderOrFooter('options.firstPage.header', options.firstPage?.header);
  requireInertHeaderOrFooter('options.firstPage.footer', options.firstPage?.footer);
}
