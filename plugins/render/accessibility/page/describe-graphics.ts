/**
 * Gives graphics with a name the role `img`. Without it, Chromium's structure tree describes an `img`
 * element, but not an `svg` with a `title`, a `canvas`, a `video` or an `audio`. Runs in the browser page
 * like {@link checkDocument}, before the document is printed.
 */
export function describeGraphics(selectDeep: (selector: string) => Element[]): void {
  const all = selectDeep('svg, canvas, video, audio, object, embed');
  for (const element of all) {
    const attribute = (name: string) => Element.prototype.getAttribute.call(element, name);
    if (attribute('role') !== null || attribute('aria-hidden') === 'true') continue;
    let name = attribute('aria-label') ?? attribute('title') ?? '';
    if (name.trim() === '')
      for (const title of Element.prototype.querySelectorAll.call(element, ':scope > title'))
        name = title.textContent;
    if (name.trim() === '' && element instanceof HTMLCanvasElement) name = element.textContent;
    if (name.trim() === '' && attribute('aria-labelledby') === null) continue;
    Element.prototype.setAttribute.call(element, 'role', 'img');
    if (attribute('aria-labelledby') === null)
      Element.prototype.setAttribute.call(element, 'aria-label', name.replaceAll(/\s+/g, ' ').trim());
  }
}
