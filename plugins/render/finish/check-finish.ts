import type { GenerateOptions } from '../print/schemas.ts';
import { markBox, markOf, type NameField } from './watermark.ts';

/** Names a field of the option `watermark`. */
export const watermarkField: NameField = (field) => `options.watermark.${field}`;

/** Validates the options for the finished PDF beyond their schema. @throws {AppError} VALIDATION_ERROR */
export function checkFinish({ watermark }: GenerateOptions): void {
  if (watermark && markOf(watermark, watermarkField) === 'image') markBox(watermark, watermarkField);
}
