import type { Handlebars } from '../../documents/contract.ts';
import type { TemplateSource } from '../../templates/contract.ts';

export type TemplateRenderer = Pick<Handlebars, 'renderTemplate'>;

type Rendered = Extract<Awaited<ReturnType<TemplateRenderer['renderTemplate']>>, { ok: true }>['value'];

/** Returns a renderer that reports each rendered template. */
export function noting(
  handlebars: TemplateRenderer,
  note: (rendered: Pick<Rendered, 'missing' | 'replacedLanguage'>) => void,
): TemplateRenderer {
  return {
    async renderTemplate(input, options) {
      const result = await handlebars.renderTemplate(input, options);
      if (result.ok) note(result.value);
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
