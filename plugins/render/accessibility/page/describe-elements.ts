import type { DESCRIBED } from '@platen/pdf-standards/described-elements';

/** The functions and constants that {@link describeElements} needs in the browser page. */
export interface PageReaders {
  described: typeof DESCRIBED;
  selectDeep: (selector: string) => Element[];
  /**
   * Returns the drawn text of a form field, or its state; `undefined` when Chromium tags the field or it has
   * no value.
   */
  readField: (element: Element) => { isText: boolean; value: string } | undefined;
  /** Returns a formula as a line of text. */
  readFormula: (math: Element) => string;
}

/**
 * Gives formulas, and form fields whose values Chromium does not tag, the role `img` and a text alternative
 * that begins with a character of {@link DESCRIBED}. `data-platen-label` keeps the label of the author. Runs
 * in the browser page like {@link checkDocument}, before the document is printed.
 */
export function describeElements({ described, selectDeep, readField, readFormula }: PageReaders): void {
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name);
  const trimmed = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const closest = (element: Element, selector: string): Element | null =>
    Element.prototype.closest.call(element, selector);
  const labelOf = (element: Element): string => {
    const ids = (attribute(element, 'aria-labelledby') ?? '').split(/\s+/).slice(0, 20);
    const referenced = ids.map((id) => document.getElementById.call(document, id)?.textContent ?? '');
    return trimmed(referenced.join(' ')) || trimmed(attribute(element, 'aria-label'));
  };
  const describe = (element: Element, start: string, text: string): void => {
    const set = (name: string, value: string) => Element.prototype.setAttribute.call(element, name, value);
    set('data-platen-label', labelOf(element));
    set('role', 'img');
    set('aria-label', `${start}${trimmed(text).slice(0, 5_000)}`);
    Element.prototype.removeAttribute.call(element, 'aria-labelledby');
  };

  for (const field of selectDeep('select, input, textarea, meter, progress')) {
    const read = readField(field);
    if (!read || closest(field, '[aria-hidden="true"]')) continue;
    if (read.isText) {
      describe(field, described.fieldText, read.value);
      continue;
    }
    const label = labelOf(field) || trimmed(attribute(field, 'title'));
    describe(field, described.fieldPicture, label === '' ? read.value : `${label}: ${read.value}`);
  }
  for (const math of selectDeep('math')) {
    if (closest(math, '[aria-hidden="true"], [role=presentation], [role=none]')) continue;
    const given = trimmed(attribute(math, 'alttext')) || labelOf(math) || trimmed(attribute(math, 'title'));
    const text = given || trimmed(readFormula(math));
    if (text === '') continue;
    // KaTeX and MathJax draw a formula as HTML or SVG for the eye, and hide the MathML for screen readers,
    // which Chromium therefore does not print.
    const library = closest(math, '.katex, mjx-container');
    const drawn = library && Element.prototype.querySelector.call(library, '[aria-hidden="true"]');
    if (drawn) {
      Element.prototype.removeAttribute.call(drawn, 'aria-hidden');
      Element.prototype.setAttribute.call(math, 'aria-hidden', 'true');
    }
    describe(drawn ?? math, described.formula, text);
  }
}
