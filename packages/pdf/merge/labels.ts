import { buildNumberTree, Dict, name, readNumberTree, Ref, type PdfObject } from '../objects/index.ts';
import type { Member } from './member.ts';

/** Joins page labels, so that each page keeps the label that a reader showed; a document without labels counts its pages from 1. */
export function joinLabels(members: readonly Member[], catalog: Dict): void {
  const labels = members.map(({ document }) => readNumberTree(document.catalog.dict('PageLabels')));
  if (labels.every((own) => own.length === 0)) return;
  const joined = new Map<number, PdfObject>();
  for (const [index, { firstPage, pages }] of members.entries()) {
    joined.set(firstPage, Dict.of({ S: name('D') }));
    for (const [page, label] of labels[index] ?? [])
      if (page >= 0 && page < pages.length) joined.set(firstPage + page, label);
  }
  catalog.set('PageLabels', Ref.to(buildNumberTree(joined)));
}
