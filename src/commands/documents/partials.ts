/** A partial of a folder. */
export interface Partial {
  name: string;
  /** How messages name its file. */
  file: string;
  source: string;
}

/** Where a line of a template with partials comes from. */
export interface SourceLine {
  file: string;
  line: number;
  /** The number of columns that come before the text of the file in this line. */
  addedColumns: number;
}

/** A call of a partial, `{{> name}}` or `{{#> name}}`. */
const CALL = /\{\{~?#?>\s{0,20}([A-Za-z][A-Za-z0-9_-]{0,99})/g;
const ENDS_WITH_NEWLINE = /\n$/;

/**
 * Adds the partials that a template calls, as inline partials at its end, so that its own lines keep their
 * numbers. Handlebars defines inline partials before it renders the block.
 */
export function addPartials(template: string, partials: readonly Partial[]): string {
  return called(template, partials).reduce(
    (text, { name, source }) => `${text}${startOf(name)}${source}{{/inline}}\n`,
    called(template, partials).length === 0 || ENDS_WITH_NEWLINE.test(template) ? template : `${template}\n`,
  );
}

/** Finds the file and the line there of a line of a template to which {@link addPartials} added partials. */
export function lineOf(
  line: number,
  { template, file, partials }: { template: string; file: string; partials: readonly Partial[] },
): SourceLine {
  let start = template.replace(ENDS_WITH_NEWLINE, '').split('\n').length + 1;
  if (line < start) return { file, line, addedColumns: 0 };
  for (const { name, file: partialFile, source } of called(template, partials)) {
    const count = source.split('\n').length;
    const addedColumns = line === start ? startOf(name).length : 0;
    if (line < start + count) return { file: partialFile, line: line - start + 1, addedColumns };
    start += count;
  }
  return { file, line, addedColumns: 0 };
}

function startOf(name: string): string {
  return `{{#*inline "${name}"}}`;
}

/** Returns the partials that a template calls, also through other partials, in the order of their names. */
function called(template: string, partials: readonly Partial[]): Partial[] {
  const found = new Set<string>();
  const queue = [template];
  for (let text = queue.pop(); text !== undefined; text = queue.pop())
    for (const [, name = ''] of text.matchAll(CALL)) {
      const partial = partials.find((each) => each.name === name);
      if (!partial || found.has(name)) continue;
      found.add(name);
      queue.push(partial.source);
    }
  return partials.filter(({ name }) => found.has(name));
}
