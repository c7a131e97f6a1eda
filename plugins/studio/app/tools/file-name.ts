/** The longest name in characters, without the suffix. It leaves room for the number of a part. */
const MAX_NAME_CHARACTERS = 120;

/** The endings that a PDF replaces: its own, and those of office documents. */
const ENDING =
  /\.(?:pdf|doc|docx|docm|odt|rtf|txt|xls|xlsx|ods|csv|ppt|pptx|pps|ppsx|odp|vsd|vsdx|odg|svg|png|jpe?g)$/i;

/** Replaces characters that the service rejects in the name of a file. */
export function cleanName(name: string): string {
  return name.replaceAll(/[/\\\p{C}]/gu, '_').replace(/^[.\s]+/, '');
}

/**
 * Derives the name of a result from the name of its source, such as "Contract-signed.pdf". Replaces
 * characters that the service rejects.
 */
export function fileNameOf(source: string, suffix: string | undefined): string {
  const name = cleanName(source.replace(ENDING, ''));
  const short = Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('').trim() || 'document';
  return `${suffix ? `${short}-${suffix}` : short}.pdf`;
}
