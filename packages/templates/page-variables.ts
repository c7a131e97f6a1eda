const VARIABLE = /\{\{\{\s*(pageNumber|totalPages)\s*\}\}\}|\{\{~?\s*(pageNumber|totalPages)\s*~?\}\}/g;

/**
 * Replaces `{{pageNumber}}` and `{{totalPages}}`, with optional whitespace and two or three braces, with the
 * empty elements that Chromium fills in headers and footers: `<span class="pageNumber"></span>` and
 * `<span class="totalPages"></span>`. Leaves all other text unchanged, so it works with and without
 * Handlebars.
 */
export function replacePageVariables(html: string): string {
  return html.replace(
    VARIABLE,
    (_, triple?: string, double?: string) => `<span class="${triple ?? double}"></span>`,
  );
}
