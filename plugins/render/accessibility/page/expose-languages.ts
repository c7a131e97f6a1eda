/**
 * Keeps the language of inline elements such as `<span lang="fr">`. Chromium writes no structure element for
 * HTML elements without semantics, and so drops their language. The role `mark`, for which PDF has no
 * structure type, makes it write one without a type. Runs in the browser page like {@link checkDocument},
 * before the document is printed.
 */
export function exposeLanguages(): void {
  const parts = Document.prototype.querySelectorAll.call(
    document,
    ':is(b, bdi, bdo, cite, dfn, font, i, q, s, small, span, u)[lang]:not([role])',
  );
  for (const part of parts) Element.prototype.setAttribute.call(part, 'role', 'mark');
}
