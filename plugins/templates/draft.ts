import { invalid } from '../../src/plugin.ts';
import type { TemplateDraft } from './contract.ts';
import { requireVariableSchema } from './variables.ts';

/** Refuses what may not be stored of a template, without parsing it; see `TemplatesService.checkDraft`. */
export function requireDraft({ name, html, schema }: Partial<TemplateDraft>): void {
  if (name !== undefined) requireText('name', name);
  if (html !== undefined) requireText('html_content', html);
  if (schema === undefined) return;
  requireVariableSchema(schema);
  for (const variable of Object.keys(schema)) requireText('schema', variable);
}

// What is stored is UTF-8, in which all lone surrogates are the same: two texts would become one.
function requireText(path: string, text: string): void {
  if (!text.isWellFormed())
    throw invalid(path, 'must be text in which every surrogate is one of a pair (well-formed Unicode)');
}
