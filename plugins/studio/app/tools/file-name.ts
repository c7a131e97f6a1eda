/** The longest name, without the suffix, that leaves room for the number of a part. */
const MAX_NAME = 120;

/** Returns the name of a result after the name of its source, such as "Contract-signed.pdf", without characters that the service rejects. */
export function fileNameOf(source: string, suffix: string | undefined): string {
  const name = source
    .replace(/\.pdf$/i, '')
    .replaceAll(/[/\\\p{C}]/gu, '_')
    .replace(/^[.\s]+/, '');
  const short = Array.from(name).slice(0, MAX_NAME).join('').trim() || 'document';
  return `${suffix ? `${short}-${suffix}` : short}.pdf`;
}
