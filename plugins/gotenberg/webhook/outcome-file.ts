import { AppError } from '../../../src/plugin.ts';
import { describeOutput, respond, type Output } from '../respond.ts';
import type { ResultFile } from './message.ts';

/**
 * Returns a result as the file that a webhook gets: the only file, or a zip archive of several.
 * @throws {AppError} VALIDATION_ERROR for the result of a route that makes no files
 */
export async function readOutcomeFile(output: Output, outputName: string): Promise<ResultFile> {
  if ('json' in output)
    throw new AppError(
      'VALIDATION_ERROR',
      'The webhook middleware can only work with multipart/form-data routes that results in output files',
    );
  const response = await respond(output, outputName);
  return {
    mediaType: describeOutput(output, outputName).mediaType,
    disposition: response.headers.get('content-disposition') ?? 'attachment',
    content: await response.bytes(),
  };
}
