/**
 * A group of an invoice: values and groups by the names of their UBL elements. Attributes are
 * `name@attribute`.
 */
export interface Group {
  [name: string]: string | Group | (string | Group)[] | undefined;
}

/** Thrown by {@link setValue} for a path that leads through a value. */
class PathError extends Error {
  override name = 'PathError';
}

/** A group and its path in the data, which findings report. */
export class DataNode {
  readonly path: string;
  readonly group: Group;

  constructor(group: Group, path: string) {
    this.group = group;
    this.path = path;
  }

  /** Returns the path of a value or group below this one. */
  pathOf(steps: string): string {
    return [this.path, ...steps.split('/')].filter((step) => step !== '').join('.');
  }

  /** Returns the value at a path such as `cac:Party/cbc:ID`. Blank text counts as absent. */
  text(steps: string): string | undefined {
    const { parent, last } = this.#walk(steps);
    const found = parent?.[last];
    const first = Array.isArray(found) ? found[0] : found;
    return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
  }

  /** Returns the values at a path. */
  texts(steps: string): string[] {
    const { parent, last } = this.#walk(steps);
    const found = parent?.[last];
    const list = Array.isArray(found) ? found : [found];
    return list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  }

  /** Returns the group at a path, or the first if there are several. */
  child(steps: string): DataNode | undefined {
    return this.children(steps)[0];
  }

  /**
   * Returns the groups at a path. Only the last step can lead to several: each earlier step leads to the
   * first group of its name.
   */
  children(steps: string): DataNode[] {
    const { parent, last } = this.#walk(steps);
    const found = parent?.[last];
    if (Array.isArray(found))
      return found.flatMap((item, index) =>
        typeof item === 'object' ? [new DataNode(item, `${this.pathOf(steps)}[${index}]`)] : [],
      );
    return typeof found === 'object' ? [new DataNode(found, this.pathOf(steps))] : [];
  }

  #walk(steps: string): { parent: Group | undefined; last: string } {
    const names = steps.split('/');
    const last = names.pop() ?? '';
    let parent: Group | undefined = this.group;
    for (const name of names) {
      const next: Group[string] = parent?.[name];
      const first: string | Group | undefined = Array.isArray(next) ? next[0] : next;
      parent = typeof first === 'object' ? first : undefined;
    }
    return { parent, last };
  }
}

/** Returns the group at a path below a group, and creates it if it is absent. */
export function ensureGroup(group: Group, steps: string): Group {
  let at = group;
  for (const name of steps.split('/').filter((step) => step !== '')) {
    const next = at[name];
    const first = Array.isArray(next) ? next[0] : next;
    if (typeof first === 'string') throw new PathError(`${steps} leads through a value`);
    if (first) at = first;
    else {
      const created: Group = {};
      at[name] = created;
      at = created;
    }
  }
  return at;
}

/** Sets a value at a path below a group. */
export function setValue(group: Group, steps: string, value: string): void {
  const end = steps.lastIndexOf('/');
  ensureGroup(group, steps.slice(0, Math.max(end, 0)))[steps.slice(end + 1)] = value;
}
