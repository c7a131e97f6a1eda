import type { TreeElement, TreeNode } from '@platen/xml';

export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: TreeNode[] = [],
): TreeElement {
  return { name, attributes: new Map(Object.entries(attributes)), children };
}

export function elementsOf({ children }: TreeElement): TreeElement[] {
  return children.filter((child) => typeof child === 'object');
}

/** Returns the first child with a name. */
export function childOf(parent: TreeElement | undefined, name: string): TreeElement | undefined {
  return parent?.children.find(
    (child): child is TreeElement => typeof child === 'object' && child.name === name,
  );
}

/** Returns the element that a path of names leads to. */
export function pathOf(
  parent: TreeElement | undefined,
  ...names: readonly string[]
): TreeElement | undefined {
  return names.reduce(childOf, parent);
}

/**
 * Visits all elements below an element in the order of the document. `visit` returns false to skip content.
 */
export function walk(
  parent: TreeElement,
  visit: (element: TreeElement, parent: TreeElement) => unknown,
): void {
  for (const child of elementsOf(parent)) if (visit(child, parent) !== false) walk(child, visit);
}

/** Returns all elements with a name below an element, in the order of the document. */
export function allOf(parent: TreeElement, name: string): TreeElement[] {
  const found: TreeElement[] = [];
  walk(parent, (each) => {
    if (each.name === name) found.push(each);
  });
  return found;
}

/** Returns the text directly in an element, as written. */
export function rawText({ children }: TreeElement): string {
  return children.filter((child) => typeof child === 'string').join('');
}

/** Copies an element with its content. */
export function copyOf({ name, attributes, children }: TreeElement): TreeElement {
  return {
    name,
    attributes: new Map(attributes),
    children: children.map((child) => (typeof child === 'string' ? child : copyOf(child))),
  };
}
