/**
 * Sets the sizes of `@page` rules in `<style>` elements whose names Chromium does not know. `sizes` are in
 * millimetres, by their names in small letters.
 *
 * The browser has dropped a declaration that it does not know, so each style sheet is read a second time with
 * another text. The rules of both readings have the same order.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 * @returns the sizes that stay unknown, at most 5
 */
export function namePageSizes({
  sizes,
}: {
  sizes: Readonly<Record<string, readonly [width: number, height: number]>>;
}): { unknownSizes: string[] } {
  const MAX_UNKNOWN = 5;
  const MAX_CHARACTERS = 50;
  const DECLARATION = /(?<![-\w])size\s{0,9}:([^:;{}]*)/gi;

  /** Returns the lengths of a named size, such as `105mm 148mm` for `A6`. */
  const lengthsOf = (words: readonly string[]): string | undefined => {
    const names = words.filter((word) => word !== 'portrait' && word !== 'landscape');
    const [name = ''] = names;
    const size = names.length === 1 && Object.hasOwn(sizes, name) ? sizes[name] : undefined;
    if (!size || words.length > 2) return undefined;
    const [width, height] = words.includes('landscape') ? size.toReversed() : size;
    return `${width}mm ${height}mm`;
  };
  const pageRules = (list: CSSRuleList): CSSPageRule[] =>
    [...list].flatMap((rule) => {
      if (rule instanceof CSSPageRule) return [rule];
      return 'cssRules' in rule && !(rule instanceof CSSStyleRule)
        ? pageRules(rule.cssRules as CSSRuleList)
        : [];
    });

  const withoutComments = (css: string): string =>
    css
      .split('/*')
      .map((part, index) => (index === 0 ? part : part.split('*/').slice(1).join('*/')))
      .join(' ');

  const unknownSizes = new Set<string>();
  const styles = Document.prototype.querySelectorAll.call(document, 'style');
  for (const style of styles as NodeListOf<HTMLStyleElement>) {
    const { sheet } = style;
    const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')?.get?.call(style) as string;
    if (!sheet || !/@page/i.test(text)) continue;
    const written: string[] = [];
    const readable = withoutComments(text).replaceAll(DECLARATION, (_, value: string) => {
      const [size = '', priority] = value.split('!');
      const known = lengthsOf(size.trim().toLowerCase().split(/\s+/));
      // The size of the copy is the number of the text.
      const length = known ?? `${written.push(size.trim())}px`;
      return `size: ${length} ${priority === undefined ? '' : `!${priority}`}`;
    });
    const copy = new CSSStyleSheet();
    copy.replaceSync(readable);
    const rules = pageRules(sheet.cssRules);
    const copies = pageRules(copy.cssRules);
    if (rules.length !== copies.length) continue;
    for (const [index, rule] of rules.entries()) {
      const other = copies[index]?.style;
      if (!other || rule.style.getPropertyValue('size') !== '') continue;
      const size = other.getPropertyValue('size');
      const unknown = size.endsWith('px') ? written[Number.parseFloat(size) - 1] : undefined;
      if (unknown !== undefined) unknownSizes.add(unknown.slice(0, MAX_CHARACTERS));
      else if (size !== '') rule.style.setProperty('size', size, other.getPropertyPriority('size'));
    }
  }
  return { unknownSizes: [...unknownSizes].slice(0, MAX_UNKNOWN) };
}
