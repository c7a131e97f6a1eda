const VARIABLE =
  /\{\{\{\s*(pageNumber|totalPages|section(?:PageNumber|TotalPages|Title))\s*\}\}\}|\{\{~?\s*(pageNumber|totalPages|section(?:PageNumber|TotalPages|Title))\s*~?\}\}/g;

/**
 * Replaces `{{pageNumber}}`, `{{totalPages}}`, `{{sectionPageNumber}}`, `{{sectionTotalPages}}` and
 * `{{sectionTitle}}`, with optional whitespace and two or three braces, with empty elements that are filled
 * while headers and footers are printed, such as `<span class="pageNumber"></span>`. Leaves all other text
 * unchanged, so it works with and without Handlebars. The variables of sections are left to the template if
 * its data has a property of the name.
 */
export function replacePageVariables(html: string, data?: unknown): string {
  return html.replace(VARIABLE, (tag: string, triple?: string, double?: string) => {
    const name = triple ?? double ?? '';
    const isData =
      name.startsWith('section') && typeof data === 'object' && data !== null && Object.hasOwn(data, name);
    return isData ? tag : `<span class="${name}"></span>`;
  });
}
