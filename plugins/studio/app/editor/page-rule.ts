export const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** The settings in the `@page` rules of a template that compete with page options. */
export interface PageRule {
  /**
   * The lines, counted from 1, of the declarations that set the margins of sides. They override those of the
   * options.
   */
  marginLines: Partial<Record<(typeof SIDES)[number], number>>;
  /**
   * Whether the rules fill page-margin boxes, which are printed in addition to the header and footer of the
   * options.
   */
  hasMarginBoxes: boolean;
}

const AT_RULE = '@page';
const MARGIN = /(?:^|[;\s])margin(?:-(top|right|bottom|left))?\s*:/g;

/**
 * Reads the `@page` rules of a template. Margins count only in rules without a selector, which apply to all
 * pages.
 */
export function pageRuleOf(html: string): PageRule {
  const text = blankComments(html.toLowerCase());
  const rule: PageRule = { marginLines: {}, hasMarginBoxes: false };
  for (let at = text.indexOf(AT_RULE); at !== -1; at = text.indexOf(AT_RULE, at)) {
    const open = text.indexOf('{', at);
    if (open === -1) break;
    const selector = text.slice(at + AT_RULE.length, open).trim();
    let depth = 1;
    // The declarations, at the positions that they have in the rule.
    let declarations = '';
    for (at = open + 1; at < text.length && depth > 0; at += 1) {
      const character = text.charAt(at);
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      declarations += depth === 1 && character !== '}' ? character : ' ';
    }
    if (selector === '')
      for (const { 0: found, 1: side, index } of declarations.matchAll(MARGIN)) {
        const before = text.slice(0, open + 1 + index + found.indexOf('margin'));
        const line = before.split(/\r\n?|\n/).length;
        for (const name of SIDES) if (side === undefined || side === name) rule.marginLines[name] = line;
      }
    if (declarations.includes('@top-') || declarations.includes('@bottom-')) rule.hasMarginBoxes = true;
  }
  return rule;
}

/** Replaces CSS comments with as many spaces and line ends. */
function blankComments(text: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf('/*'); at !== -1; at = text.indexOf('/*', from)) {
    const close = text.indexOf('*/', at + 2);
    const end = close === -1 ? text.length : close + 2;
    result += text.slice(from, at) + text.slice(at, end).replaceAll(/[^\r\n]/g, ' ');
    from = end;
  }
  return result + text.slice(from);
}
