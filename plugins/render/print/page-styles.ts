import type { Margins, PrintSetup } from './print-options.ts';

/**
 * Returns the `@page` rules that Chromium's options cannot express: other margins and another number for the
 * first page. The margins are omitted for a document whose own `@page` rules set margins, because these win
 * over options.
 */
export function pageStyles(
  { pageNumberStart = 1 }: PrintSetup,
  margins: Margins,
  firstMargins: Margins = margins,
): { css: string; margins: string } {
  const css = pageNumberStart === 1 ? '' : `@page :first{counter-set:page ${pageNumberStart}}`;
  const isSame = firstMargins.top === margins.top && firstMargins.bottom === margins.bottom;
  const { top, bottom } = firstMargins;
  return { css, margins: isSame ? '' : `@page :first{margin-top:${top}in;margin-bottom:${bottom}in}` };
}

/**
 * Returns a script for an isolated world that adds the styles to the document, without changing its elements.
 */
export function addPageStyles({ css, margins }: ReturnType<typeof pageStyles>): string {
  return `(() => {
    const setsMargins = (sheet) => {
      try {
        return [...sheet.cssRules].some((rule) =>
          rule instanceof CSSPageRule ? [...rule.style].some((name) => name.startsWith('margin'))
          : rule.styleSheet ? setsMargins(rule.styleSheet)
          : rule.cssRules !== undefined && setsMargins(rule));
      } catch {
        // A style sheet of another origin.
        return false;
      }
    };
    const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)} + ([...read('styleSheets')].some(setsMargins) ? '' : ${JSON.stringify(margins)}));
    const adopted = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
    adopted.set.call(document, [...adopted.get.call(document), sheet]);
  })()`;
}
