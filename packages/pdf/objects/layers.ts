import { asDict, Dict, name, Name, Ref, resolve, type PdfObject } from './objects.ts';

/** Lists in the default configuration that are concatenated. */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'];

/**
 * Joins optional content properties dictionaries, keeping only the `wanted` groups. Returns `undefined` if no
 * group remains.
 */
export function joinLayerProperties(all: readonly Dict[], wanted: (group: Ref) => boolean): Dict | undefined {
  const groups: Ref[] = [];
  const off: PdfObject[] = [];
  const intents = new Set<string>();
  const config = new Dict();
  for (const properties of all) {
    const kept = (properties.array('OCGs') ?? []).filter(
      (group): group is Ref => group instanceof Ref && wanted(group),
    );
    const defaults = properties.dict('D') ?? new Dict();
    groups.push(...kept);
    const intentsUsed = intentsOf(defaults);
    for (const intent of intentsUsed) intents.add(intent);
    off.push(...hidden(kept, defaults).filter((group) => isConfigured(group, intentsUsed)));
    for (const key of LISTS) {
      const items = keep(defaults.array(key) ?? [], wanted);
      if (items.length > 0) config.set(key, [...(config.array(key) ?? []), ...items]);
    }
    for (const key of ['Name', 'ListMode']) if (!config.map.has(key)) config.set(key, defaults.raw(key));
  }
  if (groups.length === 0) return undefined;
  if (off.length > 0) config.set('OFF', off);
  if ([...intents].some((intent) => intent !== 'View')) config.set('Intent', [...intents].map(name));
  return Dict.of({ OCGs: groups, D: config });
}

/** Returns the intents of a configuration or a group. The default is `View`. */
function intentsOf(dict: Dict): string[] {
  const value = dict.get('Intent');
  const all = (Array.isArray(value) ? value : [value]).map((intent) => resolve(intent));
  const names = all.flatMap((intent) => (intent instanceof Name ? [intent.value] : []));
  return names.length > 0 ? names : ['View'];
}

/**
 * Tells whether a configuration with these intents applies to a group. Other groups are always visible (ISO
 * 32000-1 table 101).
 */
function isConfigured(group: Ref, intents: readonly string[]): boolean {
  const groupIntents = intentsOf(asDict(group) ?? new Dict());
  return (
    intents.includes('All') ||
    groupIntents.includes('All') ||
    groupIntents.some((intent) => intents.includes(intent))
  );
}

/** Returns the groups that a default configuration hides. */
function hidden(groups: readonly Ref[], defaults: Dict): Ref[] {
  if (defaults.name('BaseState') === 'OFF') {
    const on = new Set(defaults.array('ON') ?? []);
    return groups.filter((group) => !on.has(group));
  }
  const off = new Set(defaults.array('OFF') ?? []);
  return groups.filter((group) => off.has(group));
}

/** Removes unwanted groups from a list, from nested lists and from dictionaries that list groups. */
function keep(items: readonly PdfObject[], wanted: (group: Ref) => boolean): PdfObject[] {
  return items.flatMap((item): PdfObject[] => {
    const value = resolve(item);
    if (Array.isArray(value)) {
      const inner = keep(value, wanted);
      return inner.length > 0 ? [inner] : [];
    }
    if (value instanceof Dict && Array.isArray(value.get('OCGs')))
      return [value.copy().set('OCGs', keep(value.array('OCGs') ?? [], wanted))];
    return item instanceof Ref && !wanted(item) ? [] : [item];
  });
}
