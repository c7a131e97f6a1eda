/**
 * Returns a MathML formula as a line of text: `(a)/(b)` for a fraction, `√(x)` for a root, `x^(2)` and
 * `x_(i)` for scripts. Runs in the browser page, and is self-contained like {@link checkDocument}.
 */
export function readFormula(math: Element): string {
  const nameOf = (element: Element) => Reflect.get(Element.prototype, 'localName', element);
  const childrenOf = (element: Element): Element[] => [
    ...Reflect.get(Element.prototype, 'children', element),
  ];
  const textOf = (element: Element) =>
    (Reflect.get(Node.prototype, 'textContent', element) ?? '').replaceAll(/\s+/g, ' ').trim();
  const part = (text: string): string => (/^[\p{L}\p{N}]$/u.test(text) ? text : `(${text})`);
  const read = (element: Element | undefined, depth: number): string => {
    if (!element || depth > 100) return '';
    const name = nameOf(element);
    if (/^(?:annotation|annotation-xml|mphantom|none|mprescripts)$/.test(name)) return '';
    if (name === 'mo') return textOf(element).replaceAll(/[\u2061-\u2064]/g, '');
    const children = childrenOf(element);
    if (children.length === 0 || /^(?:mi|mn|mtext|ms)$/.test(name)) return textOf(element);
    const parts = children.map((child) => read(child, depth + 1));
    const [first = '', second = '', third = ''] = parts;
    switch (name) {
      case 'mfrac':
        return `${part(first)}/${part(second)}`;
      case 'msqrt':
        return `√${part(parts.join(''))}`;
      case 'mroot':
        return `${part(second)}√${part(first)}`;
      case 'msup':
      case 'mover':
        return `${first}^${part(second)}`;
      case 'msub':
      case 'munder':
        return `${first}_${part(second)}`;
      case 'msubsup':
      case 'munderover':
        return `${first}_${part(second)}^${part(third)}`;
      case 'mtr':
        return parts.join(', ');
      case 'mtable':
        return `[${parts.join('; ')}]`;
      default:
        return parts.filter((text) => text !== '').join(/^(?:mrow|math|mstyle)$/.test(name) ? ' ' : '');
    }
  };
  return read(math, 0);
}
