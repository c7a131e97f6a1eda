import { AppError, ConfigError, invalid, RawJson, type Handlebars } from '../../src/plugin.ts';
import { checkOptions } from '../render/contract.ts';
import type { TemplatesService } from '../templates/contract.ts';
import type { Starter } from './contract.ts';
import type { StarterFiles } from './read-starters.ts';

const PARSE_TIMEOUT_MS = 10_000;

/** What judges starters: the same that judges templates and their generations. */
export interface StarterJudges {
  handlebars: Handlebars;
  templates: Pick<TemplatesService, 'checkDraft' | 'checkData'>;
}

/**
 * Makes sure that every starter can be cloned, and printed with its options and sample data. Handlebars works in the sandbox.
 * @throws {ConfigError} that names file and field, in HTML also line and column.
 */
export async function requireUsable(files: StarterFiles, judges: StarterJudges): Promise<void> {
  for (const { starter, file } of files.values()) {
    try {
      await requireStarter(starter, judges);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      const [{ path, message } = { path: '', message: error.message }] = error.details;
      throw new ConfigError(`${[file, path].filter(Boolean).join('.')}: ${message}`);
    }
  }
}

async function requireStarter(starter: Starter, { handlebars, templates }: StarterJudges): Promise<void> {
  templates.checkDraft(starter);
  const result = await handlebars.parseTemplate({ source: starter.html }, { timeoutMs: PARSE_TIMEOUT_MS });
  if (!result.ok) throw invalid('html_content', result.message);
  // What a starter can do without, such as a language, its sample may leave out.
  const faults = await templates.checkData(starter.schema, RawJson.of(starter.sampleData));
  const fault = faults.find(({ found }) => found !== 'missing');
  if (fault)
    throw invalid(
      `sample_data.${fault.path}`,
      `must be of the type that the schema names, ${fault.expected}, not ${fault.found}`,
    );
  if (starter.options) checkOptions({ ...starter.options, ...(await renderMarginals(starter, handlebars)) });
}

async function renderMarginals(
  { options, sampleData }: Starter,
  handlebars: Handlebars,
): Promise<{ header?: string; footer?: string }> {
  const { header, footer } = options ?? {};
  if (header === undefined && footer === undefined) return {};
  const parts = { ...(header !== undefined && { header }), ...(footer !== undefined && { footer }) };
  const result = await handlebars.compileTemplate(
    { source: '', data: sampleData, parts },
    { timeoutMs: PARSE_TIMEOUT_MS },
  );
  if (!result.ok) throw invalid(`options.${result.part ?? 'header'}`, result.message);
  return result.value.parts ?? {};
}
