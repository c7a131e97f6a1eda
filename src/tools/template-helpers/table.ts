import { arithmeticHelpers } from './arithmetic.ts';
import { codeHelpers } from './codes.ts';
import { dateHelpers } from './dates.ts';
import type { TemplateHelper } from './definition.ts';
import { listHelpers } from './lists.ts';
import { logicHelpers } from './logic.ts';
import { numberHelpers } from './numbers.ts';
import { textHelpers } from './text.ts';

/** Every helper of templates beside Handlebars' own, in the order of the documentation. `docs/templates.md` is checked against it. */
export const TEMPLATE_HELPERS: ReadonlyMap<string, TemplateHelper> = new Map(
  [
    ...dateHelpers,
    ...numberHelpers,
    ...logicHelpers,
    ...arithmeticHelpers,
    ...listHelpers,
    ...textHelpers,
    ...codeHelpers,
  ].map((helper) => [helper.name, helper]),
);

/** The helpers of Handlebars that templates have, and how many arguments each takes. */
export const BUILT_IN_HELPERS: ReadonlyMap<string, number> = new Map([
  ['each', 1],
  ['if', 1],
  ['unless', 1],
  ['with', 1],
  ['lookup', 2],
]);
