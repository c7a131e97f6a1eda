import { Dict, readContent, type PdfObject } from '@platen/pdf/objects';
import { nameOf, type ContentUnit } from './graph.ts';

/** The resource category of the name among the operands, by operator. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Do: 'XObject',
  Tf: 'Font',
  gs: 'ExtGState',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
  BDC: 'Properties',
  DP: 'Properties',
};

/**
 * Finds the names that only the resources of the surrounding content define. Readers look them up there, but
 * parts 2 and 3 require content to have its own resources (ISO 19005-2 6.2.2).
 */
export function inheritedNames(unit: ContentUnit): { category: string; name: string; object: PdfObject }[] {
  const { resources, outer, inherits } = unit;
  const found: { category: string; name: string; object: PdfObject }[] = [];
  const content = resources === outer && !inherits ? undefined : unit.read();
  if (!content) return found;
  for (const { operator, operands } of readContent(content)) {
    const category = CATEGORIES[operator];
    if (category === undefined) continue;
    const name = nameOf(operands[category === 'Font' ? 0 : operands.length - 1]);
    if (name === undefined || (!inherits && resources.dict(category)?.map.has(name))) continue;
    const object = (inherits ? resources : outer).dict(category)?.map.get(name);
    if (object !== undefined) found.push({ category, name, object });
  }
  return found;
}

/** Adds the resources that content uses from the surrounding content to its own resources. */
export function adoptInheritedResources(unit: ContentUnit): void {
  for (const { category, name, object } of inheritedNames(unit)) {
    const own = unit.resources.dict(category) ?? new Dict();
    unit.resources.set(category, own.set(name, object));
  }
}
