import { AppError, ConfigError, invalid, RawJson } from '../../src/plugin.ts';
import type { Handlebars } from '../documents/contract.ts';
import type { RenderService } from '../render/contract.ts';
import type { TemplatesService } from '../templates/contract.ts';
import type { Starter } from './contract.ts';
import type { StarterFiles } from './read-starters.ts';
import { readTranslations } from './translations.ts';

const PARSE_TIMEOUT_MS = 10_000;

/** The services that validate templates and generations. */
interface StarterValidators {
  handlebars: Handlebars;
  templates: Pick<
    TemplatesService,
    'validateInput' | 'checkData' | 'checkFile' | 'checkOptions' | 'readTranslations'
  >;
  /** Absent when the plugin `render` is off. */
  render: Pick<RenderService, 'checkOptions'> | undefined;
}

/**
 * Checks that every starter can be cloned and can be printed with its options and sample data. Handlebars
 * runs in the sandbox.
 * @throws {ConfigError} that names the file and field, and for HTML the line and column
 */
export async function validateStarters(files: StarterFiles, validators: StarterValidators): Promise<void> {
  for (const { starter, file } of files.values()) {
    try {
      await validateStarter(starter, validators);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      const [{ path, message } = { path: '', message: error.message }] = error.details;
      throw new ConfigError(`${[file, path].filter(Boolean).join('.')}: ${message}`);
    }
  }
}

async function validateStarter(
  starter: Starter,
  { handlebars, templates, render }: StarterValidators,
): Promise<void> {
  const { html, file, name, schema, category } = starter;
  templates.validateInput({ name, html, schema, category });
  const translationsJson = await readTranslations(starter, templates);
  if (file) await requireFormat(file, templates);
  else {
    const isTranslated = translationsJson !== null;
    const source = { source: html, isTranslated };
    const result = await handlebars.parseTemplate(source, { timeoutMs: PARSE_TIMEOUT_MS });
    if (!result.ok) throw invalid('html_content', result.message);
  }
  for (const { name: caseName, data } of starter.cases) {
    // Data may omit optional variables, such as a language.
    const mismatches = await templates.checkData(starter.schema, RawJson.of(data));
    const mismatch = mismatches.find(({ found }) => found !== 'missing');
    const field = data === starter.sampleData ? 'sample_data' : `cases.${caseName}`;
    if (mismatch)
      throw invalid(
        `${field}.${mismatch.path}`,
        `must be of type ${mismatch.expected}, as in the schema, not ${mismatch.found}`,
      );
  }
  if (!starter.options) return;
  templates.checkOptions(starter.options);
  render?.checkOptions({
    ...starter.options,
    ...(await renderHeaderAndFooter(starter, { translationsJson, handlebars })),
  });
}

/** @throws {AppError} VALIDATION_ERROR for a file that is not accepted, or whose name has another ending */
async function requireFormat(
  { format, bytes }: NonNullable<Starter['file']>,
  templates: StarterValidators['templates'],
): Promise<void> {
  const found = await templates.checkFile({ raw: bytes });
  if (found !== format) throw invalid('file', `is a ${found} file, but its name ends with .${format}`);
}

async function renderHeaderAndFooter(
  { options, sampleData }: Pick<Starter, 'options' | 'sampleData'>,
  { translationsJson, handlebars }: { translationsJson: string | null; handlebars: Handlebars },
): Promise<{ header?: string; footer?: string }> {
  const { header, footer } = options ?? {};
  if (header === undefined && footer === undefined) return {};
  const parts = { ...(header !== undefined && { header }), ...(footer !== undefined && { footer }) };
  const result = await handlebars.compileTemplate(
    {
      source: '',
      data: sampleData,
      parts,
      ...(translationsJson !== null && { translations: JSON.parse(translationsJson) }),
    },
    { timeoutMs: PARSE_TIMEOUT_MS },
  );
  if (!result.ok) throw invalid(`options.${result.part ?? 'header'}`, result.message);
  return result.value.parts ?? {};
}
