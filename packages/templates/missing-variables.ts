import type { TemplatePosition } from './fault.ts';

/** A variable that a template needs and the data lacks. */
export interface MissingVariable {
  /**
   * Its path in the data, such as `items[2].price`; the first of them when several items of a list lack it.
   */
  path: string;
  /** In how many items it is missing; 1 outside of lists. */
  count: number;
  /** The sentence that describes it, if it is not a variable of the data. */
  sentence?: string;
  /** Where the template first needed it; only if the caller asked for positions. */
  position?: TemplatePosition;
}

const MAX_VARIABLES = 100;

/**
 * The maximum number of objects whose paths are known. The variables of other objects have only their names.
 */
const MAX_OBJECTS = 200_000;
const MAX_PATH_CHARACTERS = 200;

/** Collects the variables that a rendering needs and its data lacks. */
export class MissingVariables {
  readonly #data: object;
  readonly #hasPositions: boolean;
  #paths: Map<unknown, string> | undefined;
  /** By the path without the indexes of lists. */
  readonly #found = new Map<string, MissingVariable & { contexts: Set<unknown> }>();

  constructor(data: object, { positions = false } = {}) {
    this.#data = data;
    this.#hasPositions = positions;
  }

  /** Notes a variable. `context` is the value in which the template looked for `name`. */
  note(name: string, context: unknown, position?: TemplatePosition): void {
    this.#paths ??= pathsOf(this.#data);
    const base = this.#paths.get(context) ?? '';
    const path = (base === '' ? name : `${base}.${name}`).slice(0, MAX_PATH_CHARACTERS);
    const key = path.replaceAll(/\[\d+\]/g, '[]');
    const known = this.#found.get(key);
    if (!known && this.#found.size < MAX_VARIABLES)
      this.#found.set(key, {
        path,
        count: 1,
        contexts: new Set([context]),
        ...(this.#hasPositions && position && { position }),
      });
    else if (known && !known.contexts.has(context)) {
      known.contexts.add(context);
      known.count += 1;
    }
  }

  /** Notes a message that the translations lack, or an argument of a message that has no value. */
  noteMessage(path: string, sentence: string): void {
    const known = this.#found.get(path);
    if (!known && this.#found.size < MAX_VARIABLES)
      this.#found.set(path, {
        path: path.slice(0, MAX_PATH_CHARACTERS),
        sentence,
        count: 1,
        contexts: new Set(),
      });
  }

  /**
   * Returns at most 100 variables as `missing`, in the order in which the template needed them, or an empty
   * object if the data is complete.
   */
  found(): { missing?: MissingVariable[] } {
    const missing = [...this.#found.values()].map(({ path, count, sentence, position }) => ({
      path,
      count,
      ...(sentence !== undefined && { sentence }),
      ...(position && { position }),
    }));
    return missing.length > 0 ? { missing } : {};
  }
}

/** Returns the path of each object and array in the data. */
function pathsOf(data: object): Map<unknown, string> {
  const paths = new Map<unknown, string>([[data, '']]);
  for (const [value, path] of paths) {
    if (paths.size > MAX_OBJECTS) break;
    const isList = Array.isArray(value);
    for (const [key, child] of Object.entries(value as object)) {
      if (typeof child !== 'object' || child === null) continue;
      const step = isList ? `[${key}]` : path === '' ? key : `.${key}`;
      paths.set(child, `${path}${step}`);
    }
  }
  return paths;
}
