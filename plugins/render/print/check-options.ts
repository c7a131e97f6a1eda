import { invalid } from '../../../src/plugin.ts';
import { requireInertHeaderOrFooter } from './header-footer.ts';
import { toPrintSetup } from './print-options.ts';
import type { GenerateOptions } from './schemas.ts';

/**
 * Validates options beyond their schema, except header and footer, which may be templates: the lengths, the space on the paper, and their
 * combinations.
 * @throws {AppError} VALIDATION_ERROR that names `options.<name>`.
 */
export function checkStoredOptions(options: GenerateOptions): void {
  if (options.protect)
    throw invalid('options.protect', 'cannot be stored, because it has passwords: send it with each request');
  if (options.invoice?.data)
    throw invalid('options.invoice.data', 'cannot be stored: send it with each request, or as data.invoice');
  toPrintSetup(options);
}

/**
 * Validates options beyond their schema: the lengths, the space on the paper, and that header and footer are inert. Pass header and footer
 * after Handlebars has rendered them.
 * @throws {AppError} VALIDATION_ERROR that names `options.<name>`.
 */
export function checkOptions(options: GenerateOptions): void {
  checkStoredOptions(options);
  requireInertHeaderOrFooter('options.header', options.header);
  requireInertHeaderOrFooter('options.footer', options.footer);
  requireInertHeaderOrFooter('options.firstPage.header', options.firstPage?.header);
  requireInertHeaderOrFooter('options.firstPage.footer', options.firstPage?.footer);
}
