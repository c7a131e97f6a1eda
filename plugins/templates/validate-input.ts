import { explainTaskFailure, invalid } from '../../src/plugin.ts';
import type { Handlebars } from '../documents/contract.ts';
import type { TemplateInput } from './contract.ts';
import { requireVariableSchema } from './variables.ts';

/** Checks the fields of a template without parsing its HTML; see `TemplatesService.validateInput`. */
export function validateTemplateInput({ name, html, schema, tags = [] }: Partial<TemplateInput>): void {
  if (name !== undefined) requireName('name', name);
  for (const [index, tag] of tags.entries()) requireName(`tags[${index}]`, tag);
  if (new Set(tags).size < tags.length) throw invalid('tags', 'must not contain a tag twice');
  if (html !== undefined) requireText('html_content', html);
  if (schema === undefined) return;
  requireVariableSchema(schema);
  for (const variable of Object.keys(schema)) requireText('schema', variable);
}

function requireName(path: string, name: string): void {
  requireText(path, name);
  if (name.trim().length === 0) throw invalid(path, 'must not be blank');
  // oxlint-disable-next-line eslint/no-control-regex -- the pattern matches control characters
  if (/[\x00-\x1f]/.test(name)) throw invalid(path, 'must not contain control characters');
}

// UTF-8 cannot represent unpaired surrogates: the store would turn all of them into the same replacement
// character.
function requireText(path: string, text: string): void {
  if (!text.isWellFormed())
    throw invalid(path, 'must be well-formed Unicode; it contains an unpaired surrogate');
}

const PARSE_TIMEOUT_MS = 5_000;

const PARSE_FAILURES = {
  path: 'html_content',
  deadline: `parsing the template takes longer than ${PARSE_TIMEOUT_MS} ms`,
  memory: 'parsing the template exceeds the memory limit',
  waiting: 'templates',
  failed: 'the template could not be parsed',
};

/**
 * Parses a template in the sandbox. `isTranslated` tells whether it has the helper `t`.
 * @throws {AppError} VALIDATION_ERROR for `html_content` with line and column; RATE_LIMITED when too many
 * templates are waiting.
 */
export async function requireParsable(
  handlebars: Handlebars,
  html: string,
  isTranslated: boolean,
): Promise<void> {
  const result = await handlebars
    .parseTemplate({ source: html, isTranslated }, { timeoutMs: PARSE_TIMEOUT_MS })
    .catch((error: unknown) => {
      throw explainTaskFailure(error, PARSE_FAILURES);
    });
  if (!result.ok) throw invalid('html_content', result.message);
}
