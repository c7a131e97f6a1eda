const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML and XML, and drops characters that XML does not allow. */
export function escapeMarkup(text: string): string {
  // oxlint-disable-next-line no-control-regex -- XML 1.0 2.2 excludes them
  const printable = text.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
  return printable.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
