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
import { translationHelper } from './translation.ts';

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

/** Helpers by name. */
export type HelperTable = ReadonlyMap<string, TemplateHelper>;

/** The helpers of all templates by name. */
export const TEMPLATE_HELPERS: HelperTable = new Map(
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

const TRANSLATED: HelperTable = new Map([...TEMPLATE_HELPERS, [translationHelper.name, translationHelper]]);

/** Returns the helpers of a template. Only a template with translations has the helper `t`. */
export function helpersOf(isTranslated: boolean): HelperTable {
  return isTranslated ? TRANSLATED : TEMPLATE_HELPERS;
}
