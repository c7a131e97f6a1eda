import { Dict, Name, Ref, resolve, type PdfObject } from '../objects/index.ts';

/** Keeps the role map entries that elements use, directly or through other entries. */
export function trimRoles(root: Dict, elements: readonly Dict[]): Dict | undefined {
  const roles = root.dict('RoleMap');
  const used = new Dict();
  const waiting = elements.flatMap((element) => element.name('S') ?? []);
  for (let role = waiting.pop(); role !== undefined; role = waiting.pop()) {
    const target = roles?.name(role);
    if (target === undefined || used.map.has(role)) continue;
    used.set(role, roles?.raw(role));
    waiting.push(target);
  }
  return used.map.size > 0 ? used : undefined;
}

/** Keeps the attribute classes that elements use. */
export function trimClasses(root: Dict, elements: readonly Dict[]): Dict | undefined {
  const classes = root.dict('ClassMap');
  if (!classes) return undefined;
  const used = new Dict();
  for (const element of elements) {
    const classNames = element.get('C');
    for (const item of Array.isArray(classNames) ? classNames : [classNames]) {
      const value = resolve(item);
      if (value instanceof Name) used.set(value.value, classes.raw(value.value));
    }
  }
  return used.map.size > 0 ? used : undefined;
}

/**
 * Keeps the namespaces (ISO 32000-2 14.7.4) that elements use, and the namespaces to which they map roles.
 */
export function trimNamespaces(root: Dict, elements: readonly Dict[]): PdfObject[] | undefined {
  const used = new Set<Ref>();
  const waiting: PdfObject[] = elements.flatMap((element) => element.raw('NS') ?? []);
  for (let space = waiting.pop(); space !== undefined; space = waiting.pop()) {
    if (!(space instanceof Ref) || used.has(space)) continue;
    used.add(space);
    const value = resolve(space);
    const roles = value instanceof Dict ? value.dict('RoleMapNS') : undefined;
    for (const role of roles?.map.values() ?? []) {
      const target = resolve(role);
      if (Array.isArray(target)) waiting.push(target[1] ?? null);
    }
  }
  const kept = (root.array('Namespaces') ?? []).filter((space) => space instanceof Ref && used.has(space));
  return kept.length > 0 ? kept : undefined;
}
