import type { UploadedFile } from './uploads.ts';

const WEEK_SECONDS = 7 * 24 * 3600;
/** The longest name, without the suffix, that leaves room for the number of a part. */
const MAX_NAME = 120;

/** Returns the fields of a request that name its result and limit its lifetime. */
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

/** Returns the name of a result after the name of its source, such as "Contract-signed.pdf", without characters that the service rejects. */
export function fileNameOf(source: string, suffix: string | undefined): string {
  const name = source
    .replace(/\.pdf$/i, '')
    .replaceAll(/[/\\\p{C}]/gu, '_')
    .replace(/^[.\s]+/, '');
  const short = Array.from(name).slice(0, MAX_NAME).join('').trim() || 'document';
  return `${suffix ? `${short}-${suffix}` : short}.pdf`;
}
