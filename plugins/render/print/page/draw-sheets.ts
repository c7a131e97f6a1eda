/** A page with a header and footer. */
export interface Sheet {
  /** The name of its `@page` rule. */
  page: string;
  /** The height in points. */
  height: number;
  /** The texts of the elements with these classes. */
  values: Readonly<Record<string, string | number>>;
}

/** The pages to draw. */
export interface SheetContent {
  header: string;
  footer: string;
  sheets: readonly Sheet[];
}

/**
 * Fills an empty document with pages that show a header and footer, in the way in which Chromium fills its
 * own: as fragments, so that unclosed tags and comments stay in their fragment, with styles that both share.
 * Resolves when their images and fonts are loaded.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export async function drawSheets({ header, footer, sheets }: SheetContent): Promise<void> {
  const { body, fonts, images } = document;
  const bands = [header, footer].map((html, index) => {
    const band = document.createElement(index === 0 ? 'platen-header' : 'platen-footer');
    band.innerHTML = html;
    return band;
  });
  for (const [index, { page, height, values }] of sheets.entries()) {
    const sheet = document.createElement('platen-sheet');
    sheet.style.setProperty('page', page, 'important');
    sheet.style.setProperty('height', `${height}pt`, 'important');
    sheet.append(...bands.map((band) => band.cloneNode(true)));
    // The styles of the first page apply to all. Copies would only cost time.
    if (index > 0) for (const style of sheet.querySelectorAll('style')) style.textContent = '';
    for (const [name, value] of Object.entries(values))
      for (const element of sheet.querySelectorAll(`.${name}`)) element.textContent = String(value);
    body.append(sheet);
  }
  const removePageRules = (owner: CSSStyleSheet | CSSGroupingRule) => {
    for (let at = owner.cssRules.length - 1; at >= 0; at -= 1) {
      const rule = owner.cssRules[at];
      if (rule instanceof CSSPageRule) owner.deleteRule(at);
      else if (rule instanceof CSSGroupingRule) removePageRules(rule);
    }
  };
  for (const { sheet } of body.querySelectorAll('style')) if (sheet) removePageRules(sheet);
  await Promise.all([
    ...[...fonts].map((font) => font.load().catch(() => undefined)),
    ...[...images].map((image) => image.decode().catch(() => undefined)),
  ]);
}
