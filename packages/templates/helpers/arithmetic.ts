import {
  asNumber,
  fieldOf,
  integerOption,
  isMissing,
  toInteger,
  toList,
  toNumber,
  toPath,
} from './arguments.ts';
import { addUp, divide, multiplyAll, roundTo } from './decimal.ts';
import { HelperFault, reject, type HelperCall, type TemplateHelper } from './definition.ts';

const MAX_ARGUMENTS = 100;
const DECIMALS = { min: 0, max: 20 };

function sum([list, ...fields]: readonly unknown[], call: HelperCall): number {
  const rows = toList(list);
  const paths = fields.map(toPath);
  const decimals = integerOption(call, 'decimals', DECIMALS);
  const numbers = paths.length > 0 ? products(rows, paths) : rows.values().map(toNumber);
  return addUp(decimals === undefined ? numbers : numbers.map((number) => roundTo(number, decimals)));
}

function* products(
  rows: readonly unknown[],
  paths: readonly (readonly string[])[],
): Generator<number, void, void> {
  for (const row of rows) yield multiplyAll(paths.map((path) => toNumber(fieldOf(row, path))));
}

// Returns the arguments, or the items of a single list argument, without absent values.
function numbersOf(values: readonly unknown[]): number[] {
  const [first] = values;
  const all = values.length === 1 && Array.isArray(first) ? (first as readonly unknown[]) : values;
  return all
    .filter((value) => !isMissing(value))
    .map((value) =>
      asNumber(value) === undefined ? reject('numbers or a list of numbers', value) : toNumber(value),
    );
}

// Math.min(...numbers) could overflow the stack.
function extreme(
  values: readonly unknown[],
  isBetter: (a: number, b: number) => boolean,
): number | undefined {
  let best: number | undefined;
  for (const number of numbersOf(values)) if (best === undefined || isBetter(number, best)) best = number;
  return best;
}

/** Helpers that calculate. */
export const arithmeticHelpers: readonly TemplateHelper[] = [
  {
    name: 'inc',
    signature: 'n',
    description: 'Adds 1.',
    examples: [
      {
        template: '{{#each list}}[{{inc @index}} {{this}}]{{/each}}',
        data: { list: ['a', 'b'] },
        output: '[1 a][2 b]',
      },
    ],
    argumentCount: [1, 1],
    run: ([n]) => addUp([toNumber(n), 1]),
  },
  {
    name: 'dec',
    signature: 'n',
    description: 'Subtracts 1.',
    examples: [{ template: '{{dec 3}}', output: '2' }],
    argumentCount: [1, 1],
    run: ([n]) => addUp([toNumber(n), -1]),
  },
  {
    name: 'add',
    signature: 'a b …',
    description: 'Adds two or more numbers.',
    examples: [{ template: '{{add 0.1 0.2}}', output: '0.3' }],
    argumentCount: [2, MAX_ARGUMENTS],
    run: (values) => addUp(values.map(toNumber)),
  },
  {
    name: 'subtract',
    signature: 'a b',
    description: 'Subtracts b from a.',
    examples: [{ template: '{{subtract 10 2.5}}', output: '7.5' }],
    argumentCount: [2, 2],
    run: ([a, b]) => addUp([toNumber(a), -toNumber(b)]),
  },
  {
    name: 'multiply',
    signature: 'a b …',
    description: 'Multiplies two or more numbers.',
    examples: [
      {
        template: '{{formatCurrency (multiply price quantity) "EUR"}}',
        data: { price: 19.99, quantity: 3 },
        output: '€59.97',
      },
    ],
    argumentCount: [2, MAX_ARGUMENTS],
    run: (values) => multiplyAll(values.map(toNumber)),
  },
  {
    name: 'divide',
    signature: 'a b',
    description: 'Divides a by b, to 15 significant digits. Division by zero fails.',
    examples: [{ template: '{{divide 10 4}}', output: '2.5' }],
    argumentCount: [2, 2],
    run: ([a, b]) => {
      const divisor = toNumber(b);
      if (divisor === 0) throw new HelperFault(`cannot divide ${toNumber(a)} by zero`);
      return divide(toNumber(a), divisor);
    },
  },
  {
    name: 'round',
    signature: 'n [decimals]',
    description: 'Rounds to a whole number or to `decimals` decimals. Halves are rounded away from zero.',
    examples: [
      { template: '{{round 2.5}}', output: '3' },
      { template: '{{round 1.005 2}}', output: '1.01' },
    ],
    argumentCount: [1, 2],
    run: ([n, decimals]) =>
      roundTo(
        toNumber(n),
        isMissing(decimals) ? 0 : toInteger(decimals, { subject: 'decimals', ...DECIMALS }),
      ),
  },
  {
    name: 'min',
    signature: 'a b … or list',
    description: 'Returns the smallest number, or nothing if there are no numbers.',
    examples: [{ template: '{{min 3 1 2}}', output: '1' }],
    argumentCount: [1, MAX_ARGUMENTS],
    run: (values) => extreme(values, (a, b) => a < b),
  },
  {
    name: 'max',
    signature: 'a b … or list',
    description: 'Returns the largest number, or nothing if there are no numbers.',
    examples: [{ template: '{{max list}}', data: { list: [3, 10, 2] }, output: '10' }],
    argumentCount: [1, MAX_ARGUMENTS],
    run: (values) => extreme(values, (a, b) => a > b),
  },
  {
    name: 'sum',
    signature: 'list [field …] decimals=',
    description:
      'Adds up a list of numbers, or a field of each row (a dotted path); with several fields, their product in each row. A row without the field counts as 0. With `decimals`, each row is rounded before it is added, so that printed rows add up to the printed sum.',
    examples: [
      { template: '{{sum list}}', data: { list: [1, 2, 3.5] }, output: '6.5' },
      {
        template: '{{formatCurrency (sum items "price" "quantity") "EUR"}}',
        data: {
          items: [
            { price: 19.99, quantity: 3 },
            { price: 5, quantity: 2 },
          ],
        },
        output: '€69.97',
      },
      {
        template: '{{sum items "price" "quantity" decimals=2}}',
        data: {
          items: [
            { price: 14.99, quantity: 6.5 },
            { price: 14.99, quantity: 6.5 },
          ],
        },
        output: '194.88',
      },
    ],
    argumentCount: [1, 5],
    options: ['decimals'],
    run: sum,
  },
];
