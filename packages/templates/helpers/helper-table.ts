import { arithmeticHelpers } from './arithmetic.ts';
import { codeHelpers } from './codes.ts';
import { dateHelpers } from './dates.ts';
import type { TemplateHelper } from './definition.ts';
import { labelHelpers } from './labels.ts';
import { listHelpers } from './lists.ts';
import { logicHelpers } from './logic.ts';
import { numberHelpers } from './numbers.ts';
import { taxHelpers } from './taxes.ts';
import { paymentHelpers } from './payments/payments.ts';
import { textHelpers } from './text.ts';

/** All template helpers other than Handlebars' own, grouped under the titles of `docs/templates.md`. */
export const HELPER_GROUPS: readonly (readonly [title: string, helpers: readonly TemplateHelper[]])[] = [
  ['Dates', dateHelpers],
  ['Numbers and money', numberHelpers],
  ['Comparison and logic', logicHelpers],
  ['Arithmetic', [...arithmeticHelpers, ...taxHelpers]],
  ['Lists', listHelpers],
  ['Text', textHelpers],
  ['Labels', labelHelpers],
  ['Codes', [...codeHelpers, ...paymentHelpers]],
];

/** All template helpers by name. */
export const TEMPLATE_HELPERS: ReadonlyMap<string, TemplateHelper> = new Map(
  HELPER_GROUPS.flatMap(([, helpers]) => helpers.map((helper) => [helper.name, helper])),
);

/** The available helpers of Handlebars, and their number of arguments. */
export const BUILT_IN_HELPERS: ReadonlyMap<string, number> = new Map([
  ['each', 1],
  ['if', 1],
  ['unless', 1],
  ['with', 1],
  ['lookup', 2],
]);
