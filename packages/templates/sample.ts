import { TemplateFault } from './fault.ts';

/**
 * The number of rows in a sample list, and the depth from which nested lists have one row, because the size
 * of a sample is the product of the sizes of nested lists.
 */
const ROWS = 2;
const SINGLE_ROW_DEPTH = 3;
const MAX_DEPTH = 40;

type Primitive = string | number | boolean;

/**
 * A value that a template reads. It records the fields or rows that the template uses, and a suggested value.
 */
export class SampleNode {
  readonly #name: string;
  readonly #fields = new Map<string, SampleNode>();
  #row: SampleNode | undefined;
  #value: Primitive | undefined;
  #isWritten = false;
  #isTested = false;

  constructor(name = '') {
    this.#name = name;
  }

  /** Treats the value as an object with a field. */
  field(name: string): SampleNode {
    // `items.length` and `items.0` imply a list.
    if (name === 'length') {
      this.row();
      return new SampleNode();
    }
    if (/^\d+$/.test(name)) return this.row();
    const known = this.#fields.get(name) ?? new SampleNode(name);
    this.#fields.set(name, known);
    return known;
  }

  /** Returns the value at a path of fields. */
  at(path: readonly string[]): SampleNode {
    // oxlint-disable-next-line typescript/no-this-alias -- the loop starts here
    let node: SampleNode = this;
    for (const name of path) node = node.field(name);
    return node;
  }

  /** Treats the value as a list with similar rows. */
  row(): SampleNode {
    this.#row ??= new SampleNode(this.#name.replace(/s$/, ''));
    return this.#row;
  }

  /** Suggests a value. The first suggestion wins. */
  suggest(value: Primitive): void {
    this.#value ??= value;
  }

  /** Records that the template outputs the value. */
  markWritten(): void {
    this.#isWritten = true;
  }

  /** Records that the template tests the value in a condition. */
  markTested(): void {
    this.#isTested = true;
  }

  /** Makes a sample value from all recorded uses. @throws {TemplateFault} if it is nested too deeply. */
  toValue(depth = 0, lists = 0): unknown {
    if (depth > MAX_DEPTH) throw new TemplateFault(`the data is nested more than ${MAX_DEPTH} levels deep`);
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
    return this.#isTested && !this.#isWritten ? true : toLabel(this.#name);
  }
}

/** Converts `invoice_number` or `invoiceNumber` to "Invoice number". */
function toLabel(name: string): string {
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

/** The accounts of samples by the helper that draws a payment code. */
const PAYMENT_IBANS: Readonly<Record<string, string>> = {
  epcQr: 'DE89370400440532013000',
  swissQrBill: 'CH9300762011623852957',
};
const ADDRESS = {
  name: 'Sample',
  street: 'Street',
  house_number: '12',
  postcode: '8000',
  town: 'Town',
  country: 'CH',
};

/** An argument of a helper: a value that the template reads, or a literal. */
export type SampleArgument = { node: SampleNode } | { literal: Primitive } | Record<string, never>;

/** Suggests valid values for the arguments of a helper. */
export function suggestArguments(
  helper: string,
  args: readonly SampleArgument[],
  options: ReadonlyMap<string, SampleArgument>,
): void {
  if (PAYMENT_IBANS[helper] !== undefined) suggestPayment(options, PAYMENT_IBANS[helper]);
  for (const [name, option] of options) suggestFor(option, OPTIONS[name] ?? NUMBER);
  const [first, second, third] = args;
  const firstNode = first && 'node' in first ? first.node : undefined;
  if (NUMERIC.has(helper)) for (const each of args) suggestFor(each, NUMBER);
  switch (helper) {
    case 'formatDate':
      suggestFor(first, DATE);
      return suggestFor(second, 'medium');
    case 'formatCurrency':
      suggestFor(first, NUMBER);
      return suggestFor(second, CURRENCY);
    case 'currencyDecimals':
      return suggestFor(first, CURRENCY);
    case 'sum':
      return suggestFields(firstNode, args.slice(1), NUMBER);
    case 'taxesByRate':
      return suggestFields(firstNode, args.slice(1), NUMBER);
    case 'join':
      suggestFor(second, ', ');
      return suggestFields(firstNode, third ? [third] : [], 'Sample');
    case 'length':
    case 'first':
    case 'last':
      return void firstNode?.row();
    case 'truncate':
    case 'padStart':
      return suggestFor(second, NUMBER);
    case 'eq':
      suggestFor(first, literalOf(second));
      return suggestFor(second, literalOf(first));
    case 'barcode':
      return suggestFor(first, BARCODES[String(literalOf(options.get('type')))] ?? 'SAMPLE123');
    default:
  }
}

function suggestPayment(options: ReadonlyMap<string, SampleArgument>, iban: string): void {
  const suggestions: Readonly<Record<string, Primitive>> = {
    iban,
    name: 'Sample',
    bic: 'COBADEFFXXX',
    reference: 'RF18539007547034',
    // A payment has either a reference or text.
    text: options.has('reference') ? '' : 'Sample',
    message: 'Sample',
    size: 120,
    language: 'en',
  };
  for (const [name, option] of options) {
    suggestFor(option, suggestions[name]);
    const isAddress = (name === 'creditor' || name === 'debtor') && 'node' in option;
    if (isAddress)
      for (const [field, value] of Object.entries(ADDRESS)) option.node?.at([field]).suggest(value);
  }
}

function literalOf(argument: SampleArgument | undefined): Primitive | undefined {
  return argument && 'literal' in argument ? argument.literal : undefined;
}

function suggestFor(argument: SampleArgument | undefined, value: Primitive | undefined): void {
  if (value !== undefined && argument && 'node' in argument) argument.node.suggest(value);
}

/** Suggests a value for the rows of a list, or for fields of the rows named by literals. */
function suggestFields(
  list: SampleNode | undefined,
  fields: readonly SampleArgument[],
  value: Primitive,
): void {
  if (!list) return;
  const row = list.row();
  const paths = fields.map(literalOf).filter((path) => typeof path === 'string');
  if (paths.length === 0) row.suggest(value);
  for (const path of paths) row.at(path.split('.')).suggest(value);
}
