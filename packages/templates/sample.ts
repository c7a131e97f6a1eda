import { TemplateFault } from './fault.ts';

/** Rows of a list, and from which depth of lists on only one: what is made is the product of all. */
const ROWS = 2;
const SINGLE_ROW_DEPTH = 3;
const MAX_DEPTH = 40;

type Primitive = string | number | boolean;

/** What is known of a value that a template reads: what it has, and what was found that fits. */
export class SampleNode {
  readonly #name: string;
  readonly #fields = new Map<string, SampleNode>();
  #row: SampleNode | undefined;
  #value: Primitive | undefined;
  #isShown = false;
  #isAsked = false;

  constructor(name = '') {
    this.#name = name;
  }

  /** Takes the value for an object that has a field. */
  field(name: string): SampleNode {
    // `items.length` and `items.0` are of a list.
    if (name === 'length') {
      this.row();
      return new SampleNode();
    }
    if (/^\d+$/.test(name)) return this.row();
    const known = this.#fields.get(name) ?? new SampleNode(name);
    this.#fields.set(name, known);
    return known;
  }

  /** Follows a path of fields. */
  at(path: readonly string[]): SampleNode {
    // oxlint-disable-next-line typescript/no-this-alias -- the walk begins here
    let node: SampleNode = this;
    for (const name of path) node = node.field(name);
    return node;
  }

  /** Takes the value for a list; its rows are alike. */
  row(): SampleNode {
    this.#row ??= new SampleNode(this.#name.replace(/s$/, ''));
    return this.#row;
  }

  /** Gives the value, unless something else was given before. */
  fitting(value: Primitive): void {
    this.#value ??= value;
  }

  /** Notes that the value is written out. */
  shown(): void {
    this.#isShown = true;
  }

  /** Notes that a condition is made of it. */
  asked(): void {
    this.#isAsked = true;
  }

  /** Makes a value that fits all that was noted. @throws {TemplateFault} when it would be nested too deeply. */
  toValue(depth = 0, lists = 0): unknown {
    if (depth > MAX_DEPTH) throw new TemplateFault(`the data are nested more than ${MAX_DEPTH} levels deep`);
    if (this.#row) {
      const row = this.#row;
      const rows = lists < SINGLE_ROW_DEPTH ? ROWS : 1;
      return Array.from({ length: rows }, () => row.toValue(depth + 1, lists + 1));
    }
    if (this.#fields.size > 0) {
      const entries = [...this.#fields].map(([name, node]) => [name, node.toValue(depth + 1, lists)]);
      return Object.fromEntries(entries);
    }
    if (this.#value !== undefined) return this.#value;
    return this.#isAsked && !this.#isShown ? true : inWords(this.#name);
  }
}

/** `invoice_number`, `invoiceNumber`: "Invoice number". */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? 'Sample' : words.charAt(0).toUpperCase() + words.slice(1);
}

const NUMBER = 12;
const DATE = '2026-01-15';
const CURRENCY = 'EUR';

const NUMERIC = new Set(
  'formatNumber inc dec add subtract multiply divide round min max gt gte lt lte range'.split(' '),
);

const BARCODES: Readonly<Record<string, string>> = {
  ean13: '4006381333931',
  ean8: '96385074',
  upca: '036000291452',
  itf14: '15400141288763',
  interleaved2of5: '12345678',
  codabar: 'A123456A',
  'gs1-128': '(01)09521234543213',
};

const OPTIONS: Readonly<Record<string, Primitive>> = {
  locale: 'en-US',
  timeZone: 'UTC',
  currency: CURRENCY,
  color: '#333333',
  background: '#ffffff',
  type: 'code128',
  level: 'M',
  unit: 'kilogram',
};

/** An argument of a helper as it stands: a value that the template reads, or a literal. */
export type SampleArgument = { node: SampleNode } | { literal: Primitive } | Record<string, never>;

/** Gives what a helper takes to the values that are its arguments. */
export function fitArguments(
  helper: string,
  args: readonly SampleArgument[],
  options: ReadonlyMap<string, SampleArgument>,
): void {
  for (const [name, option] of options) fit(option, OPTIONS[name] ?? NUMBER);
  const [first, second, third] = args;
  const firstNode = first && 'node' in first ? first.node : undefined;
  if (NUMERIC.has(helper)) for (const each of args) fit(each, NUMBER);
  switch (helper) {
    case 'formatDate':
      fit(first, DATE);
      return fit(second, 'medium');
    case 'formatCurrency':
      fit(first, NUMBER);
      return fit(second, CURRENCY);
    case 'currencyDecimals':
      return fit(first, CURRENCY);
    case 'sum':
      return fitFields(firstNode, args.slice(1), NUMBER);
    case 'join':
      fit(second, ', ');
      return fitFields(firstNode, third ? [third] : [], 'Sample');
    case 'length':
    case 'first':
    case 'last':
      return void firstNode?.row();
    case 'truncate':
    case 'padStart':
      return fit(second, NUMBER);
    case 'eq':
      fit(first, literalOf(second));
      return fit(second, literalOf(first));
    case 'barcode':
      return fit(first, BARCODES[String(literalOf(options.get('type')))] ?? 'SAMPLE123');
    default:
  }
}

function literalOf(argument: SampleArgument | undefined): Primitive | undefined {
  return argument && 'literal' in argument ? argument.literal : undefined;
}

function fit(argument: SampleArgument | undefined, value: Primitive | undefined): void {
  if (value !== undefined && argument && 'node' in argument) argument.node.fitting(value);
}

/** Gives a value to the rows of a list, or to fields of them that are named by literals. */
function fitFields(list: SampleNode | undefined, fields: readonly SampleArgument[], value: Primitive): void {
  if (!list) return;
  const row = list.row();
  const paths = fields.map(literalOf).filter((path) => typeof path === 'string');
  if (paths.length === 0) row.fitting(value);
  for (const path of paths) row.at(path.split('.')).fitting(value);
}
