/** A name that the template can use at a position, with a description of its value. */
export interface DataPath {
  path: string;
  detail: string;
}

interface OpenBlock {
  name: string;
  argument: string;
  parameter: string | undefined;
}

/** The longest `{{…}}` that can open or close a block, in characters. Longer ones are ignored. */
const MAX_TAG_CHARACTERS = 400;

/** Lists the blocks that are open at the end of `text`, outermost first. */
export function openBlocks(text: string): OpenBlock[] {
  const open: OpenBlock[] = [];
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 2)) {
    const sign = text.charAt(at + 2);
    if (sign !== '#' && sign !== '/') continue;
    const end = text.indexOf('}}', at);
    if (end === -1 || end - at > MAX_TAG_CHARACTERS) continue;
    const words = text
      .slice(at + 3, end)
      .trim()
      .split(/\s+/);
    const [name = '', argument = ''] = words;
    if (sign === '#') {
      const parameter = words[words.indexOf('as') + 1];
      open.push({
        name,
        argument,
        parameter:
          words.includes('as') && parameter?.startsWith('|') ? parameter.replaceAll('|', '') : undefined,
      });
    } else {
      const index = open.findLastIndex((block) => block.name === name);
      if (index !== -1) open.length = index;
    }
  }
  return open;
}

/** Reads a path such as `customer.name`. Returns undefined when the value does not exist. */
export function readPath(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.replace(/^this\.?/, '').split('.')) {
    if (name === '' || name === 'this') continue;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/**
 * Lists the names that a template can use after `before`: the fields of the current context, block parameters
 * and loop variables.
 */
export function pathsAt(before: string, data: unknown): DataPath[] {
  let context = data;
  const parameters: DataPath[] = [];
  for (const { name, argument, parameter } of openBlocks(before)) {
    if (name !== 'each' && name !== 'with') continue;
    const value = readPath(context, argument);
    const inner = name === 'each' && Array.isArray(value) ? (value as unknown[])[0] : value;
    if (parameter) {
      parameters.push(
        { path: parameter, detail: describeValue(inner) },
        ...listPaths(inner, `${parameter}.`),
      );
    } else context = inner;
    if (name === 'each')
      parameters.push(
        { path: '@index', detail: 'number' },
        { path: '@first', detail: 'boolean' },
        { path: '@last', detail: 'boolean' },
      );
  }
  return [...listPaths(context), ...parameters];
}

const MAX_DEPTH = 4;

function listPaths(value: unknown, prefix = '', depth = 0): DataPath[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, field]) => [
    { path: prefix + name, detail: describeValue(field) },
    ...listPaths(field, `${prefix}${name}.`, depth + 1),
  ]);
}

/** Describes a value: the length of a list, the type of an object, or the beginning of any other value. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (value === null) return 'null';
  if (typeof value === 'object') return 'object';
  if (value === undefined) return 'missing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}

/**
 * Infers the type of each variable from sample data. Returns the types keyed by path, without the fields of
 * list elements.
 */
export function inferSchema(data: Record<string, unknown>, prefix = '', depth = 0): Record<string, string> {
  const schema: Record<string, string> = {};
  for (const [name, value] of Object.entries(data)) {
    const path = prefix + name;
    if (value === null) continue;
    if (Array.isArray(value)) schema[path] = 'array';
    else if (typeof value === 'object') {
      schema[path] = 'object';
      if (depth < MAX_DEPTH)
        Object.assign(schema, inferSchema(value as Record<string, unknown>, `${path}.`, depth + 1));
    } else if (typeof value === 'boolean' || typeof value === 'number') schema[path] = typeof value;
    else schema[path] = 'string';
  }
  return schema;
}

/**
 * Lists the variables of a schema whose value in the sample data is missing or has another type. A type may
 * end with a mark: `!` requires the variable, and with `?` it may be missing.
 */
export function schemaMismatches(
  schema: Record<string, string>,
  data: unknown,
): { path: string; expected: string; found: string }[] {
  return Object.entries(schema).flatMap(([path, expected]) => {
    const value = readPath(data, path);
    if (accepts(expected, value)) return [];
    return [{ path, expected, found: value === undefined ? 'missing' : typeOf(value) }];
  });
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

function accepts(expected: string, value: unknown): boolean {
  if (value === undefined) return expected.endsWith('?');
  const type = expected.replace(/[!?]$/, '');
  if (type === 'any') return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'date')
    return (typeof value === 'string' && !Number.isNaN(Date.parse(value))) || typeof value === 'number';
  return typeOf(value) === type;
}
