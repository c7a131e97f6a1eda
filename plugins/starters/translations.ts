import { invalid, RawJson } from '../../src/plugin.ts';
import type { TemplatesService } from '../templates/contract.ts';
import type { Starter } from './contract.ts';

/**
 * Checks the translations of a starter, and returns them as a template stores them; `null` for none.
 * @throws {AppError} VALIDATION_ERROR that names the message, such as `translations.de.total`
 */
export async function readTranslations(
  { translations, file }: Pick<Starter, 'translations' | 'file'>,
  templates: Pick<TemplatesService, 'readTranslations'>,
): Promise<string | null> {
  if (!translations) return null;
  if (file) throw invalid('translations', `is not for this starter, which is a ${file.format} file`);
  return templates.readTranslations(RawJson.of(translations.messages), translations.defaultLocale);
}
