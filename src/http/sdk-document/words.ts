/** Converts a key to a part of a name: `ByDay` for `by_day`, `Party` for `cac:Party`. */
export function pascalCase(key: string): string {
  const words = key
    .slice(key.indexOf(':') + 1)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Returns the name of an entry of a list: `Entry` for `Entries`, `Page` for `Pages`. */
export function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  // "Means" has no singular.
  return name.endsWith('s') && !name.endsWith('Means') ? name.slice(0, -1) : `${name}Item`;
}
