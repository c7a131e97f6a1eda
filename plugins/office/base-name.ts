/** Everything that a name of a file or sheet cannot have on some system, or that does not show. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|[\]]/gu;
const MAX_CHARACTERS = 180;

/**
 * Returns the caller's name of a file without folders and ending, as a name that is valid on every system and
 * for a sheet; `undefined` if nothing remains.
 */
export function baseNameOf(fileName: string | undefined): string | undefined {
  const [last = ''] = (fileName ?? '').normalize('NFC').split(/[/\\]/).slice(-1);
  const stem = last.replace(/\.[a-z0-9]{1,8}$/i, '').replaceAll(FORBIDDEN, '_');
  const characters = Array.from(stem).slice(0, MAX_CHARACTERS);
  // A dot in front hides a file, and a sheet cannot begin or end with an apostrophe.
  const isMargin = (character: string | undefined) => character !== undefined && " .'".includes(character);
  while (isMargin(characters[0])) characters.shift();
  while (isMargin(characters.at(-1))) characters.pop();
  return characters.length === 0 ? undefined : characters.join('');
}
