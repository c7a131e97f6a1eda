/** The widths of the characters from U+0020 in Helvetica, Arial and Liberation Sans, in 1/1000 em. */
const WIDTHS = (
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 ' +
  '278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 ' +
  '611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 ' +
  '556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
)
  .split(' ')
  .map(Number);
const WIDEST = 1_000;

/** Returns the width of a line in Liberation Sans or Arial, in units of the size of the font. */
export function textWidth(line: string): number {
  let width = 0;
  for (const character of line) width += widthOf(character);
  return width / 1_000;
}

function widthOf(character: string): number {
  // A letter with an accent is as wide as without.
  const base = character.normalize('NFD').codePointAt(0) ?? 0;
  return WIDTHS[base - 0x20] ?? WIDEST;
}

/** Breaks text into lines of at most `maxWidth`, in units of the size of the font. */
export function wrapText(text: string, maxWidth: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer) <= maxWidth) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (textWidth(line + character) > maxWidth) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line === '' ? lines : [...lines, line];
}
