import { wordsOf } from '../data/words.ts';
import { pathsAt } from './template-context.ts';

/** The documentation of a helper, which the build copies from `@platen/templates`. */
interface HelperDoc {
  group: string;
  name: string;
  signature: string;
  description: string;
  examples: readonly HelperExample[];
}

/** An example of a helper: a template, its data and its output. */
export interface HelperExample {
  template: string;
  data?: Record<string, unknown>;
  output: string;
}

declare const HELPER_DOCS: HelperDoc[];

/** A part of a template that can be inserted. */
export interface InsertEntry {
  id: string;
  group: string;
  title: string;
  description: string;
  /** The arguments, for a helper. */
  signature?: string;
  examples?: readonly HelperExample[];
  /** The kind of thing that is chosen before the part is inserted. */
  choice?: 'field' | 'image' | 'list';
  /** Whether the part belongs in the footer. */
  isFooter?: true;
  /** Returns the text to insert. `name` is the chosen thing, and `content` the selected text. */
  make: (from: { name: string; content: string; fields: readonly string[] }) => string;
}

/** The values that a template can use at a position. */
export interface NamesInReach {
  lists: readonly string[];
  fields: readonly string[];
  /** Returns the fields of the elements of a list. */
  fieldsOf: (list: string) => readonly string[];
}

/** Lists the values that the template can use after `before`. */
export function namesInReach(before: string, data: unknown): NamesInReach {
  const listed = pathsAt(before, data);
  const isList = ({ detail }: { detail: string }) => /^list of \d+$/.test(detail);
  const isField = ({ path, detail }: { path: string; detail: string }) =>
    !path.startsWith('@') && detail !== 'object' && !isList({ detail });
  const inReach = new Set(listed.map(({ path }) => path));
  // Inside a block, values of the whole data are read from `@root`.
  const ofRoot = pathsAt('', data)
    .filter(({ path }) => !inReach.has(path))
    .map(({ path, detail }) => ({ path: `${ROOT}${path}`, detail }));
  const all = [...listed, ...ofRoot];
  return {
    lists: all.filter(isList).map(({ path }) => path),
    fields: [...listed.filter(isField), ...ofRoot.filter(({ detail }) => isField({ path: '', detail }))].map(
      ({ path }) => path,
    ),
    fieldsOf(list) {
      const isOfRoot = list.startsWith(ROOT);
      const outer = isOfRoot ? '' : before;
      const rows = pathsAt(`${outer}{{#each ${list.replace(ROOT, '')}}}`, data).filter(isField);
      return rows.map(({ path }) => path).filter((path) => !path.includes('.'));
    },
  };
}

const ROOT = '@root.';

const PARTS = 'Parts of a page';
const VALUES = 'Values';

const partEntries: InsertEntry[] = [
  {
    id: 'table',
    group: PARTS,
    title: 'Table from a list',
    description: 'A table with a row for each element of a list. Its head is repeated on every page.',
    choice: 'list',
    make: ({ name, fields }) => {
      const columns = fields.length > 0 ? fields : ['name'];
      const cells = (tag: string, text: (field: string) => string) =>
        columns.map((field) => `<${tag}>${text(field)}</${tag}>`).join('');
      return [
        '<table>',
        '  <thead>',
        `    <tr>${cells('th', labelOf)}</tr>`,
        '  </thead>',
        '  <tbody>',
        `    {{#each ${name}}}`,
        `      <tr>${cells('td', (field) => `{{${field}}}`)}</tr>`,
        '    {{/each}}',
        '  </tbody>',
        '</table>',
      ].join('\n');
    },
  },
  {
    id: 'image',
    group: PARTS,
    title: 'Image',
    description: 'An image that is stored under Assets. Its alternative text is read aloud.',
    choice: 'image',
    make: ({ name }) =>
      `<img src="asset:${name}" alt="${labelOf(name.replace(/\.\w+$/, ''))}" style="width: 40mm">`,
  },
  {
    id: 'page-break',
    group: PARTS,
    title: 'Page break',
    description: 'The content after it begins on a new page.',
    make: () => '<div style="break-before: page"></div>',
  },
  {
    id: 'page-number',
    group: PARTS,
    title: 'Page number',
    description: 'Adds the page number and the number of pages to the footer of every page.',
    isFooter: true,
    make: () => '<div style="width: 100%; text-align: center">Page {{pageNumber}} of {{totalPages}}</div>',
  },
  {
    id: 'loop',
    group: PARTS,
    title: 'Loop',
    description: 'Repeats the selected text for each element of a list.',
    choice: 'list',
    make: ({ name, content, fields: [field = 'this'] }) =>
      `{{#each ${name}}}\n  ${content || `<p>{{${field}}}</p>`}\n{{/each}}`,
  },
  {
    id: 'condition',
    group: PARTS,
    title: 'Condition',
    description: 'Includes the selected text only if a value is neither empty nor 0 nor false.',
    choice: 'field',
    make: ({ name, content }) => `{{#if ${name}}}\n  ${content || `<p>{{${name}}}</p>`}\n{{/if}}`,
  },
  {
    id: 'qrcode',
    group: PARTS,
    title: 'QR code',
    description: 'A QR code with the text of a value, such as a web address.',
    choice: 'field',
    make: ({ name }) => `{{qrcode ${name} size="25mm"}}`,
  },
  {
    id: 'barcode',
    group: PARTS,
    title: 'Barcode',
    description: 'A Code 128 barcode of a value. The type can also be ean13, upca or another.',
    choice: 'field',
    make: ({ name }) => `{{barcode ${name} type="code128" height="15mm"}}`,
  },
  {
    id: 'date',
    group: VALUES,
    title: 'Date',
    description: 'A date in the words of the language, such as 31 March 2026.',
    choice: 'field',
    make: ({ name }) => `{{formatDate ${name} "long"}}`,
  },
  {
    id: 'money',
    group: VALUES,
    title: 'Amount of money',
    description: 'A number with its currency, such as €1,299.50.',
    choice: 'field',
    make: ({ name }) => `{{formatCurrency ${name} "EUR"}}`,
  },
  {
    id: 'value',
    group: VALUES,
    title: 'Value from the data',
    description: 'A value of the data as it is. Characters that HTML reserves are escaped.',
    choice: 'field',
    make: ({ name }) => `{{${name}}}`,
  },
];

/** Everything that can be inserted: parts of pages, values and all helpers. */
export const INSERT_ENTRIES: readonly InsertEntry[] = [
  ...partEntries,
  ...HELPER_DOCS.map(({ group, name, signature, description, examples }): InsertEntry => ({
    id: `helper-${name}`,
    group: `Helpers: ${group}`,
    title: name,
    description,
    signature,
    examples,
    make: () => examples[0]?.template ?? `{{${name}}}`,
  })),
];

/**
 * Finds the entries that contain all words of a text. Entries whose title begins with the text come first.
 */
export function searchEntries(text: string): readonly InsertEntry[] {
  const words = wordsOf(text);
  const found = INSERT_ENTRIES.filter(({ title, group, description }) => {
    const all = `${title} ${group} ${description}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const isFirst = ({ title }: InsertEntry) => title.toLowerCase().startsWith(text.trim().toLowerCase());
  return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))];
}

/** Converts `unit_price` to "Unit price". */
function labelOf(name: string): string {
  const words = name.replaceAll(/[_-]/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
