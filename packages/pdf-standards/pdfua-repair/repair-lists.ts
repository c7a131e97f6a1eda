import { element, type Element, type Kid } from './structure-tree.ts';

/** Arranges kids for an element that contains either one line of text, or paragraphs and other blocks. */
export type CellKids = (kids: readonly Kid[]) => Kid[];

/**
 * Puts everything in a list into items, except items, nested lists and a caption at the start (ISO 32000-1
 * 14.8.4.3.3).
 */
export function repairList(list: Element, cellKids: CellKids): Element {
  const items: Kid[] = [];
  let others: Kid[] = [];
  const endItem = () => {
    if (others.length > 0) items.push(element('LI', [element('LBody', cellKids(others))]));
    others = [];
  };
  for (const kid of list.kids) {
    const type = kid.kind === 'element' ? kid.type : '';
    if (type === 'LI' || type === 'L' || (type === 'Caption' && items.length === 0)) {
      endItem();
      items.push(kid);
    } else others.push(kid);
  }
  endItem();
  return { ...list, kids: items };
}

/** Puts everything in an item into its body, except labels. */
export function repairItem(item: Element, cellKids: CellKids): Element {
  const isPart = (kid: Kid, type: string) => kid.kind === 'element' && kid.type === type;
  const labels = item.kids.filter((kid) => isPart(kid, 'Lbl'));
  const rest = item.kids.filter((kid) => !labels.includes(kid));
  if (rest.length === 0) return item;
  const isBody = rest.every((kid) => isPart(kid, 'LBody'));
  return { ...item, kids: [...labels, ...(isBody ? rest : [element('LBody', cellKids(rest))])] };
}
