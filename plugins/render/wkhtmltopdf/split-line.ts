/** Splits a line into arguments, which may be quoted. A backslash keeps the next character. */
export function splitLine(line: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (character === '\\' && index + 1 < line.length) {
      index += 1;
      current = (current ?? '') + (line[index] ?? '');
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else current = (current ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      current ??= '';
    } else if (/\s/.test(character)) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else current = (current ?? '') + character;
  }
  if (current !== undefined) args.push(current);
  return args;
}
