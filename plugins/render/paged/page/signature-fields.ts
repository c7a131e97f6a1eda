/**
 * Marks the place of each `<input type="signature" name="…">` with a link, which the printed PDF keeps with
 * its box.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 * @returns the number of fields, or the fault of the document
 */
export function markSignatureFields({ link, max }: { link: string; max: number }): {
  count: number;
  fault?: string;
} {
  const create = Document.prototype.createElement.bind(document);
  const byId = Document.prototype.getElementById.bind(document);
  const readDocument = (property: 'head' | 'documentElement') =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as HTMLElement | null;
  /** Returns the label of a field; empty if it has none. */
  const labelOf = (input: HTMLInputElement): string => {
    const referenced = (input.getAttribute('aria-labelledby') ?? '')
      .split(/\s+/)
      .map((id) => byId(id)?.textContent ?? '');
    const labels = [...(input.labels ?? [])].map(({ textContent }) => textContent);
    const candidates = [
      referenced.join(' '),
      input.ariaLabel,
      labels.join(' '),
      input.title,
      input.placeholder,
    ];
    const texts = candidates.map((text) => (text ?? '').replaceAll(/\s+/g, ' ').trim());
    return (texts.find((text) => text !== '') ?? '').slice(0, 200);
  };
  const inputs = [
    ...Document.prototype.querySelectorAll.call(document, 'input[type="signature" i]'),
  ] as HTMLInputElement[];
  if (inputs.length > max) return { count: 0, fault: `the document has more than ${max} signature fields` };
  const style = create('style');
  // Without specificity, so that every rule of the document takes precedence.
  style.textContent =
    ':where(input[type="signature" i]) { width: 200pt; height: 60pt; box-sizing: border-box; border: 0.75pt solid #888; vertical-align: bottom }';
  (readDocument('head') ?? readDocument('documentElement'))?.prepend(style);
  for (const [index, input] of inputs.entries()) {
    if (input.name === '')
      return { count: 0, fault: 'a signature field has no name: add the attribute name' };
    const mark = create('a');
    const parts = [input.name, labelOf(input)].map((part) => encodeURIComponent(part.toWellFormed()));
    mark.href = `${link}${index}/${parts.join('/')}`;
    mark.style.textDecoration = 'none';
    // A screen reader reads the field of the PDF, not its drawing.
    input.setAttribute('aria-hidden', 'true');
    input.replaceWith(mark);
    mark.append(input);
  }
  return { count: inputs.length };
}
