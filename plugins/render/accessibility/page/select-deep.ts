/**
 * Returns the elements of the document and of its open shadow trees that match a selector. Runs in the
 * browser page, and is self-contained like {@link checkDocument}.
 */
export function selectDeep(selector: string): Element[] {
  const found: Element[] = [];
  const select = (root: Document | ShadowRoot, each: string) =>
    root instanceof ShadowRoot
      ? DocumentFragment.prototype.querySelectorAll.call(root, each)
      : Document.prototype.querySelectorAll.call(root, each);
  const visit = (root: Document | ShadowRoot): void => {
    for (const element of select(root, selector)) found.push(element);
    for (const element of select(root, '*')) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) visit(shadow);
    }
  };
  visit(document);
  return found;
}
