/**
 * Returns the drawn text of a form field, or its state, such as the percentage of a progress bar. Returns
 * `undefined` for fields whose text Chromium tags, and for fields without a value. Runs in the browser page,
 * and is self-contained like {@link checkDocument}.
 */
export function readField(element: Element): { isText: boolean; value: string } | undefined {
  const trimmed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const text = (value: string) =>
    trimmed(value) === '' ? undefined : { isText: true, value: trimmed(value) };
  const state = (value: string) =>
    trimmed(value) === '' ? undefined : { isText: false, value: trimmed(value) };
  const percent = (share: number) => state(`${Math.round(share * 100)} %`);
  if (element instanceof HTMLSelectElement) {
    const nameOf = (option: HTMLOptionElement) => trimmed(option.label || option.text);
    if (!element.multiple && element.size <= 1) {
      const selected = element.options[element.selectedIndex];
      return selected && text(nameOf(selected));
    }
    // A list box shows all options, and highlights the selected ones.
    const options = [...element.options].slice(0, 500).filter((option) => nameOf(option) !== '');
    return state(options.map((option) => `${option.selected ? '✓ ' : ''}${nameOf(option)}`).join(', '));
  }
  if (element instanceof HTMLTextAreaElement)
    return element.value === '' ? state(element.placeholder) : undefined;
  if (element instanceof HTMLProgressElement)
    return element.position < 0 ? undefined : percent(element.position);
  if (element instanceof HTMLMeterElement) {
    const { min, max, value } = element;
    return min === 0 && max === 1 ? percent(value) : state(`${value} (${min}–${max})`);
  }
  if (!(element instanceof HTMLInputElement)) return undefined;
  switch (element.type) {
    case 'range':
    case 'color':
      return state(element.value);
    case 'image':
      return state(element.alt);
    case 'text':
    case 'search':
    case 'url':
    case 'tel':
    case 'email':
    case 'password':
    case 'number':
      return element.value === '' ? state(element.placeholder) : undefined;
    default:
      return undefined;
  }
}
