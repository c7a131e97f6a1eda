/** The longest line of an object or a list that is written on one line. */
const MAX_COLUMNS = 110;

/**
 * Writes JSON with an indentation of two spaces. An object or a list that contains at most empty ones is
 * written on one line if it fits, which halves the number of lines.
 */
export function writeJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const key = (name: string) => (isList ? '' : `${JSON.stringify(name)}: `);
  const isLeaf = entries.every(
    ([, item]) => typeof item !== 'object' || item === null || Object.keys(item).length === 0,
  );
  const line = entries.map(([name, item]) => key(name) + JSON.stringify(item)).join(', ');
  if (entries.length === 0) return open + close;
  if (isLeaf && indent.length + line.length <= MAX_COLUMNS) return isList ? `[${line}]` : `{ ${line} }`;
  const inner = `${indent}  `;
  const lines = entries.map(([name, item]) => `${inner}${key(name)}${writeJson(item, inner)}`);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
