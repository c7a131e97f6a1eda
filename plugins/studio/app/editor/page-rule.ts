/** The settings in the `@page` rules of a template that compete with page options. */
export interface PageRule {
  /** Whether the rules set margins, which override those of the options. */
  hasMargins: boolean;
  /** Whether the rules fill page-margin boxes, which are printed in addition to the header and footer of the options. */
  hasMarginBoxes: boolean;
}

const AT_RULE = '@page';

/** Reads the `@page` rules of a template. Margins count only in rules without a selector, which apply to all pages. */
export function pageRuleOf(html: string): PageRule {
  const text = html.toLowerCase();
  const rule: PageRule = { hasMargins: false, hasMarginBoxes: false };
  for (let at = text.indexOf(AT_RULE); at !== -1; at = text.indexOf(AT_RULE, at)) {
    const open = text.indexOf('{', at);
    if (open === -1) break;
    const selector = text.slice(at + AT_RULE.length, open).trim();
    let depth = 1;
    let declarations = '';
    for (at = open + 1; at < text.length && depth > 0; at += 1) {
      const character = text.charAt(at);
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      else if (depth === 1) declarations += character;
    }
    if (selector === '' && declarations.includes('margin')) rule.hasMargins = true;
    if (declarations.includes('@top-') || declarations.includes('@bottom-')) rule.hasMarginBoxes = true;
  }
  return rule;
}
