/** Names of devices, which are not files on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** Runs of characters that file names do without. */
const UNSAFE = /[^\p{L}\p{M}\p{N}._-]+/gu;
/** Characters that a name neither begins nor ends with: it could be hidden, an option, or lose its end. */
const EDGES = ['.', '-', '_'];
/** At most 240 bytes in UTF-8, so that an ending fits into the 255 bytes of a file system. */
const MAX_CHARACTERS = 60;

/** Control characters, which a terminal would obey, except for the tabulator and the line feed. */
// oxlint-disable-next-line no-control-regex -- these characters are what it removes
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Makes a file name of any text: letters, digits, `.`, `_` and `-`, at most 60 characters. The name is never
 * that of another folder, a hidden file or a device.
 */
export function safeName(text: string, fallback: string): string {
  const cleaned = Array.from(text.normalize('NFC').replaceAll(UNSAFE, '-'));
  const start = cleaned.findIndex((character) => !EDGES.includes(character));
  const part = start < 0 ? [] : cleaned.slice(start, start + MAX_CHARACTERS);
  const end = part.findLastIndex((character) => !EDGES.includes(character));
  const short = part.slice(0, end + 1).join('');
  const name = short === '' ? fallback : short;
  return DEVICE.test(name) ? `_${name}` : name;
}

/**
 * Returns a name that is not taken, and takes it. A second one ends with `-2`, and so on. Names that differ
 * only in case count as the same, because some file systems cannot keep both.
 */
export function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${name}-${count}`;
  taken.add(unique.toLowerCase());
  return unique;
}

/** Returns text of a file or of the service without the characters that change a terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, '�');
}
