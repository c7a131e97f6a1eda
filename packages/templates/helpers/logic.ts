import { asNumber, isMissing, isTruthy } from './arguments.ts';
import { describe, HelperFault, type TemplateHelper } from './definition.ts';

const MOST = 100;

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || a === undefined) return b === null || b === undefined;
  // A number equals the text that writes it, and no other: "01" is a code, not 1.
  if (typeof a === 'number') return String(a) === b;
  return typeof b === 'number' && a === String(b);
}

/** Negative, zero or positive; undefined when one of them is missing. */
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
  { sentence, example, output, holds }: ComparisonText & { holds: (order: number) => boolean },
): TemplateHelper {
  return {
    name,
    signature: 'a b',
    sentence,
    examples: [{ template: example, data: { total: 100 }, output }],
    takes: [2, 2],
    block: true,
    run: ([a, b]) => {
      const order = compare(a, b);
      return order !== undefined && holds(order);
    },
  };
}

interface ComparisonText {
  sentence: string;
  example: string;
  output: string;
}

/** Helpers that compare and decide. */
export const logicHelpers: readonly TemplateHelper[] = [
  {
    name: 'eq',
    signature: 'a b',
    sentence:
      'Tells whether two values are the same. A number equals the text that writes it (`1` and `"1"`, not `"01"` or `"1.0"`); `null` equals an absent value.',
    examples: [
      {
        template: '{{#if (eq status "paid")}}Paid{{else}}Open{{/if}}',
        data: { status: 'paid' },
        output: 'Paid',
      },
      { template: '{{#eq status "paid"}}Paid{{else}}Open{{/eq}}', data: { status: 'due' }, output: 'Open' },
    ],
    takes: [2, 2],
    block: true,
    run: ([a, b]) => isEqual(a, b),
  },
  {
    name: 'ne',
    signature: 'a b',
    sentence: 'Tells whether two values differ.',
    examples: [{ template: '{{#if (ne a b)}}differ{{/if}}', data: { a: 1, b: 2 }, output: 'differ' }],
    takes: [2, 2],
    block: true,
    run: ([a, b]) => !isEqual(a, b),
  },
  comparison('lt', {
    sentence:
      'Tells whether a is less than b: numbers by value, texts (ISO dates too) by their characters. False when one is missing.',
    example: '{{#if (lt total 100)}}small{{else}}large{{/if}}',
    output: 'large',
    holds: (order) => order < 0,
  }),
  comparison('lte', {
    sentence: 'Tells whether a is less than or equal to b.',
    example: '{{lte total 100}}',
    output: 'true',
    holds: (order) => order <= 0,
  }),
  comparison('gt', {
    sentence: 'Tells whether a is greater than b.',
    example: '{{#if (gt total 50)}}free shipping{{/if}}',
    output: 'free shipping',
    holds: (order) => order > 0,
  }),
  comparison('gte', {
    sentence: 'Tells whether a is greater than or equal to b.',
    example: '{{gte total 101}}',
    output: 'false',
    holds: (order) => order >= 0,
  }),
  {
    name: 'and',
    signature: 'a b …',
    sentence: 'Gives the first value that `if` takes for false, or the last one.',
    examples: [
      {
        template: '{{#if (and paid (gt total 100))}}thanks{{/if}}',
        data: { paid: true, total: 120 },
        output: 'thanks',
      },
    ],
    takes: [1, MOST],
    block: true,
    run: (values) => {
      const decisive = values.findIndex((value) => !isTruthy(value));
      return values.at(decisive);
    },
  },
  {
    name: 'or',
    signature: 'a b …',
    sentence: 'Gives the first value that `if` takes for true, or the last one.',
    examples: [{ template: '{{or nickname name}}', data: { nickname: '', name: 'Ana' }, output: 'Ana' }],
    takes: [1, MOST],
    block: true,
    run: (values) => {
      const decisive = values.findIndex(isTruthy);
      return values.at(decisive);
    },
  },
  {
    name: 'not',
    signature: 'a',
    sentence: 'Tells whether `if` takes a value for false.',
    examples: [
      { template: '{{#if (not paid)}}Please pay.{{/if}}', data: { paid: false }, output: 'Please pay.' },
    ],
    takes: [1, 1],
    block: true,
    run: ([value]) => !isTruthy(value),
  },
  {
    name: 'default',
    signature: 'value fallback',
    sentence: 'Gives the value, or the fallback for `null`, an absent value and empty text.',
    examples: [{ template: '{{default note "none"}}', output: 'none' }],
    takes: [2, 2],
    run: ([value, fallback]) => (isMissing(value) ? fallback : value),
  },
];
