import { invalid, isBlankField } from '../../src/plugin.ts';
import { resultFields } from '../files/exports.ts';

const RESULT_FIELDS = ['output', ...Object.keys(resultFields)];

/**
 * Rejects fields that describe a resulting PDF in a request that only reads. `writes` names the fields that
 * change the PDF.
 * @throws {AppError} VALIDATION_ERROR
 */
export function rejectResultFields(body: Readonly<Record<string, unknown>>, writes: string): void {
  const sent = RESULT_FIELDS.find((name) => !isBlankField(body[name]));
  if (sent !== undefined) throw invalid(sent, `needs ${writes}: without it, the response is not a PDF`);
}
