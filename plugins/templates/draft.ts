import { invalid } from '../../src/plugin.ts';
import type { TemplateDraft } from './contract.ts';
import { requireVariableSchema } from './variables.ts';

/** Refuses what may not be stored of a template, without parsing it; see `TemplatesService.checkDraft`. */
export function requireDraft({ name, html, schema }: Partial<TemplateDraft>): void {
  if (name !== undefined) requireName(name);
  if (html !== undefined) requireText('html_content', html);
  if (schema === undefined) return;
  requireVariableSchema(schema);
  for (const variable of Object.keys(schema)) requireText('schema', variable);
}

function requireName(name: string): void {
  requireText('name', name);
  if (name.trim().length === 0) throw invalid('name', 'must have a character that is no space');
  // oxlint-disable-next-line eslint/no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f]/.test(name)) throw invalid('name', 'must have no control characters');
}

// What is stored is UTF-8, in which all lone surrogates are the same: two texts would become one.
function requireText(path: string, text: string): void {
  if (!text.isWellFormed())
    throw invalid(path, 'must be text in which every surrogate is one of a pair (well-formed Unicode)');
}
