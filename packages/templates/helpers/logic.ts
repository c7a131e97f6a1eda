import { asNumber, isMissing, isTruthy } from './arguments.ts';
import { describe, HelperFault, type TemplateHelper } from './definition.ts';

const MAX_ARGUMENTS = 100;

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || a === undefined) return b === null || b === undefined;
  // A number equals only its own text: "01" is a code, not 1.
  if (typeof a === 'number') return String(a) === b;
  return typeof b === 'number' && a === String(b);
}

/** Returns a negative number, zero or a positive number, or undefined if a value is absent. */
function compare(a: unknown, b: unknown): number | undefined {
  if (isMissing(a) || isMissing(b)) return undefined;
  const x = asNumber(a);
  const y = asNumber(b);
  if (x !== undefined && y !== undefined) return x - y;
  if (typeof a !== 'string' || typeof b !== 'string')
    throw new HelperFault(`takes two numbers or two texts, not ${describe(a)} and ${describe(b)}`);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function comparison(
  name: string,
  { description, example, output, accepts }: ComparisonText & { accepts: (order: number) => boolean },
): TemplateHelper {
  return {
    name,
    signature: 'a b',
    description,
    examples: [{ template: example, data: { total: 100 }, output }],
    argumentCount: [2, 2],
    block: true,
    run: ([a, b]) => {
      const order = compare(a, b);
      return order !== undefined && accepts(order);
    },
  };
}

interface ComparisonText {
  description: string;
  example: string;
  output: string;
}

/** Helpers that compare and decide. */
export const logicHelpers: readonly TemplateHelper[] = [
  {
    name: 'eq',
    signature: 'a b',
    description:
      'Tells whether two values are equal. A number equals its text (`1` and `"1"`, not `"01"` or `"1.0"`). `null` equals an absent value.',
    examples: [
      {
        template: '{{#if (eq status "paid")}}Paid{{else}}Open{{/if}}',
        data: { status: 'paid' },
        output: 'Paid',
      },
      { template: '{{#eq status "paid"}}Paid{{else}}Open{{/eq}}', data: { status: 'due' }, output: 'Open' },
    ],
    argumentCount: [2, 2],
    block: true,
    run: ([a, b]) => isEqual(a, b),
  },
  {
    name: 'ne',
    signature: 'a b',
    description: 'Tells whether two values differ.',
    examples: [{ template: '{{#if (ne a b)}}differ{{/if}}', data: { a: 1, b: 2 }, output: 'differ' }],
    argumentCount: [2, 2],
    block: true,
    run: ([a, b]) => !isEqual(a, b),
  },
  comparison('lt', {
    description:
      'Tells whether a is less than b: numbers by value, texts (including ISO dates) by their characters. False if either is absent.',
    example: '{{#if (lt total 100)}}small{{else}}large{{/if}}',
    output: 'large',
    accepts: (order) => order < 0,
  }),
  comparison('lte', {
    description: 'Tells whether a is less than or equal to b.',
    example: '{{lte total 100}}',
    output: 'true',
    accepts: (order) => order <= 0,
  }),
  comparison('gt', {
    description: 'Tells whether a is greater than b.',
    example: '{{#if (gt total 50)}}free shipping{{/if}}',
    output: 'free shipping',
    accepts: (order) => order > 0,
  }),
  comparison('gte', {
    description: 'Tells whether a is greater than or equal to b.',
    example: '{{gte total 101}}',
    output: 'false',
    accepts: (order) => order >= 0,
  }),
  {
    name: 'and',
    signature: 'a b …',
    description: 'Returns the first value that `if` treats as false, or the last value.',
    examples: [
      {
        template: '{{#if (and paid (gt total 100))}}thanks{{/if}}',
        data: { paid: true, total: 120 },
        output: 'thanks',
      },
    ],
    argumentCount: [1, MAX_ARGUMENTS],
    block: true,
    run: (values) => {
      const decisive = values.findIndex((value) => !isTruthy(value));
      return values.at(decisive);
    },
  },
  {
    name: 'or',
    signature: 'a b …',
    description: 'Returns the first value that `if` treats as true, or the last value.',
    examples: [{ template: '{{or nickname name}}', data: { nickname: '', name: 'Ana' }, output: 'Ana' }],
    argumentCount: [1, MAX_ARGUMENTS],
    block: true,
    run: (values) => {
      const decisive = values.findIndex(isTruthy);
      return values.at(decisive);
    },
  },
  {
    name: 'not',
    signature: 'a',
    description: 'Tells whether `if` treats a value as false.',
    examples: [
      { template: '{{#if (not paid)}}Please pay.{{/if}}', data: { paid: false }, output: 'Please pay.' },
    ],
    argumentCount: [1, 1],
    block: true,
    run: ([value]) => !isTruthy(value),
  },
  {
    name: 'default',
    signature: 'value fallback',
    description: 'Returns the value, or the fallback if the value is `null`, absent or empty text.',
    examples: [{ template: '{{default note "none"}}', output: 'none' }],
    argumentCount: [2, 2],
    run: ([value, fallback]) => (isMissing(value) ? fallback : value),
  },
];
