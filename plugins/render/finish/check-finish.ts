import { invalid } from '../../../src/plugin.ts';
import type { GenerateOptions } from '../print/schemas.ts';
import { levelOfOption, whyNoAttachments } from './pdfa-level.ts';
import { checkProtect, type ProtectionSetting } from './protect.ts';
import { checkSignature, type SignatureSetting } from './signature.ts';
import { markBox, markOf, type NameField } from './watermark.ts';

/** Names a field of the option `watermark`. */
export const watermarkField: NameField = (field) => `options.watermark.${field}`;

/** What the service can do with finished PDFs. */
export interface FinishSettings {
  protection: ProtectionSetting;
  signing: SignatureSetting;
}

/**
 * Validates the options for the finished PDF beyond their schema. Without the settings, does not check whether `protect` and `signature` are on.
 * @throws {AppError} VALIDATION_ERROR
 */
export function checkFinish(
  { watermark, attachments = [], protect, pdfa = false, signature }: GenerateOptions,
  settings: FinishSettings | undefined,
): void {
  const level = levelOfOption(pdfa);
  if (protect) checkProtect(protect, { pdfa: level !== undefined, setting: settings?.protection });
  if (signature) checkSignature(signature, { protect: protect !== undefined, setting: settings?.signing });
  if (watermark && markOf(watermark, watermarkField) === 'image') markBox(watermark, watermarkField);
  const reason = attachments.length > 0 && level !== undefined ? whyNoAttachments(level, 'pdfa') : undefined;
  if (reason !== undefined) throw invalid('options.attachments', `cannot be combined with pdfa: ${reason}`);
  const names = new Set<string>();
  for (const [index, { name }] of attachments.entries()) {
    if (names.has(name))
      throw invalid(`options.attachments[${index}].name`, 'is the name of another attachment');
    names.add(name);
  }
}
