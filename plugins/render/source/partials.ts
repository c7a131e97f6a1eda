import type { Handlebars } from '../../documents/contract.ts';
import type { MissingVariable } from '../receipt/receipt.ts';
import type { TemplateSource } from '../../templates/contract.ts';

export type TemplateRenderer = Pick<Handlebars, 'renderTemplate'>;

/** Returns a renderer that reports the variables that templates need and their data lacks. */
export function noting(
  handlebars: TemplateRenderer,
  note: (variables: readonly MissingVariable[]) => void,
): TemplateRenderer {
  return {
    async renderTemplate(input, options) {
      const result = await handlebars.renderTemplate(input, options);
      if (result.ok) note(result.value.missing);
      return result;
    },
  };
}

/**
 * Returns a renderer that adds the partials of an account to the templates that call them. Without the
 * templates plugin templates can use only inline partials.
 */
export function withPartials(
  handlebars: TemplateRenderer,
  templates: TemplateSource | undefined,
  accountId: string,
): TemplateRenderer {
  const loadPartials = templates?.loadPartials?.bind(templates);
  if (!loadPartials) return handlebars;
  return {
    async renderTemplate(input, options) {
      const partials = await loadPartials(accountId, [input.source, ...Object.values(input.parts)]);
      if (!partials.ok) return partials;
      return handlebars.renderTemplate({ ...input, partials: partials.value }, options);
    },
  };
}
