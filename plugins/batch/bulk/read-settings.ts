import { AppError, createValidator, invalid, parseJson, type Static } from '../../../src/plugin.ts';
import { GenerateOptions } from '../../documents/exports.ts';
import { readLocale } from '../../render/exports.ts';
import { BulkFields, type BulkQuery } from './schemas.ts';

/** The settings of a bulk batch. */
export interface BulkSettings {
  template: string;
  locale?: string | undefined;
  options: GenerateOptions | undefined;
  result: 'links' | 'zip' | 'pdf';
  /** The template of the file names. */
  fileName: string | null;
  onInvalid: 'reject' | 'skip';
  webhook: string | null;
}

const validate = createValidator(BulkFields);

/**
 * Reads the settings from the query and from the parts of a form. The options are JSON.
 * @throws {AppError} VALIDATION_ERROR that names the field
 */
export async function readSettings(
  query: Static<typeof BulkQuery>,
  parts: Readonly<Record<string, string>>,
): Promise<BulkSettings> {
  for (const name of Object.keys(query))
    if (Object.hasOwn(parts, name)) throw invalid(name, 'is given both as a parameter and as a part');
  const { options, ...texts } = { ...query, ...parts };
  const read = options === undefined ? {} : { options: await readOptions(options) };
  const fields = validate({ ...texts, ...read });
  return {
    template: fields.template,
    locale: readLocale(fields),
    options: fields.options ?? undefined,
    result: fields.result ?? 'links',
    fileName: fields.file_name ?? null,
    onInvalid: fields.on_invalid ?? 'reject',
    webhook: fields.webhook ?? null,
  };
}

async function readOptions(text: string): Promise<unknown> {
  try {
    return await parseJson(Buffer.from(text), GenerateOptions);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid('options', 'must be JSON, such as {"format":"A4"}');
  }
}
