import { Dict, readContent, type PdfObject } from '../../objects/index.ts';
import { nameOf, type ContentUnit } from './graph.ts';

/** The resource category that the name in an operand of an operator belongs to. */
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
 * Finds the names in content that its own resources do not define, but those around it do. Readers use these, but parts 2 and 3 require the
 * content to have its own (ISO 19005-2 6.2.2).
 */
export function inheritedNames(unit: ContentUnit): { category: string; name: string; object: PdfObject }[] {
  const { resources, outer } = unit;
  const found: { category: string; name: string; object: PdfObject }[] = [];
  const content = resources === outer ? undefined : unit.read();
  if (!content) return found;
  for (const { operator, operands } of readContent(content)) {
    const category = CATEGORIES[operator];
    if (category === undefined) continue;
    const name = nameOf(operands[category === 'Font' ? 0 : operands.length - 1]);
    if (name === undefined || resources.dict(category)?.map.has(name)) continue;
    const object = outer.dict(category)?.map.get(name);
    if (object !== undefined) found.push({ category, name, object });
  }
  return found;
}

/** Adds the resources of surrounding content that content uses to its own. */
export function adoptInheritedResources(unit: ContentUnit): void {
  for (const { category, name, object } of inheritedNames(unit)) {
    const own = unit.resources.dict(category) ?? new Dict();
    unit.resources.set(category, own.set(name, object));
  }
}
