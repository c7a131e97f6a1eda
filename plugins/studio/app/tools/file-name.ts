/** The longest name in characters, without the suffix. It leaves room for the number of a part. */
const MAX_NAME_CHARACTERS = 120;

/**
 * Derives the name of a result from the name of its source, such as "Contract-signed.pdf". Replaces
 * characters that the service rejects.
 */
export function fileNameOf(source: string, suffix: string | undefined): string {
  const name = source
    .replace(/\.pdf$/i, '')
    .replaceAll(/[/\\\p{C}]/gu, '_')
    .replace(/^[.\s]+/, '');
  const short = Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('').trim() || 'document';
  return `${suffix ? `${short}-${suffix}` : short}.pdf`;
}
