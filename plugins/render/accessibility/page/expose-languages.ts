/**
 * Keeps the language of a part of a line, such as `<span lang="fr">`. Chromium writes no element for tags without a meaning, and drops their
 * language. With a role for which PDF has no type, they are elements without a type. Runs in the page like {@link checkDocument}, before the
 * document is printed.
 */
export function exposeLanguages(): void {
  const parts = Document.prototype.querySelectorAll.call(
    document,
    ':is(b, bdi, bdo, cite, dfn, font, i, q, s, small, span, u)[lang]:not([role])',
  );
  for (const part of parts) Element.prototype.setAttribute.call(part, 'role', 'mark');
}
