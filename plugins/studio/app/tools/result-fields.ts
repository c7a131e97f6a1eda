import { fileNameOf } from './file-name.ts';
import type { UploadedFile } from './uploads.ts';

const WEEK_SECONDS = 7 * 24 * 3600;

/**
 * Returns the fields of a request that name its result and, unless it is kept, delete the result after a
 * week.
 */
export function resultFieldsOf({
  files,
  suffix,
  isKept,
}: {
  files: readonly Pick<UploadedFile, 'name'>[];
  suffix: string | undefined;
  isKept: boolean;
}): { file_name: string; expires_in?: number } {
  return {
    file_name: fileNameOf(files[0]?.name ?? '', suffix),
    ...(!isKept && { expires_in: WEEK_SECONDS }),
  };
}
