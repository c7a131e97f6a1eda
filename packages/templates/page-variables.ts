const VARIABLE = /\{\{\{\s*(pageNumber|totalPages)\s*\}\}\}|\{\{~?\s*(pageNumber|totalPages)\s*~?\}\}/g;

/**
 * Replaces `{{pageNumber}}` and `{{totalPages}}`, also with inner whitespace or three braces, by the empty elements that Chromium
 * fills in headers and footers: `<span class="pageNumber"></span>` and `<span class="totalPages"></span>`.
 * Everything else is left as it is, so that it works before Handlebars and without it.
 */
export function replacePageVariables(html: string): string {
  return html.replace(
    VARIABLE,
    (_, triple?: string, double?: string) => `<span class="${triple ?? double}"></span>`,
  );
}
