/** What the `@page` rules of a template set, which page options also set. */
export interface PageRule {
  /** Margins, which win over those of the options. */
  hasMargins: boolean;
  /** Headers or footers in the margins of the page, printed in addition to those of the options. */
  hasBoxes: boolean;
}

const NAME = '@page';

/** Reads the `@page` rules of a template. Only rules for all pages count for margins. */
export function pageRuleOf(html: string): PageRule {
  const text = html.toLowerCase();
  const rule: PageRule = { hasMargins: false, hasBoxes: false };
  for (let at = text.indexOf(NAME); at !== -1; at = text.indexOf(NAME, at)) {
    const open = text.indexOf('{', at);
    if (open === -1) break;
    const selector = text.slice(at + NAME.length, open).trim();
    let depth = 1;
    let own = '';
    for (at = open + 1; at < text.length && depth > 0; at += 1) {
      const character = text.charAt(at);
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      else if (depth === 1) own += character;
    }
    if (selector === '' && own.includes('margin')) rule.hasMargins = true;
    if (own.includes('@top-') || own.includes('@bottom-')) rule.hasBoxes = true;
  }
  return rule;
}
