import { fieldOf, toInteger, toList, toPath, toText } from './arguments.ts';
import { HelperFault, reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { tooLong } from '../fault.ts';

const MAX_RANGE = 10_000;
const BOUND = { min: -1_000_000_000, max: 1_000_000_000 };

function join([list, separator, field]: readonly unknown[], { remainingLength }: HelperCall): string {
  const between = toText(separator);
  const path = toPath(field);
  let length = 0;
  const texts: string[] = [];
  for (const row of toList(list)) {
    const text = toText(fieldOf(row, path));
    length += text.length + between.length;
    if (length - between.length > remainingLength) throw tooLong();
    texts.push(text);
  }
  return texts.join(between);
}

function lengthOf([value]: readonly unknown[]): number {
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string') reject('a list or text', value);
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function range([from, to]: readonly unknown[]): number[] {
  const first = toInteger(from, { subject: 'both ends', ...BOUND });
  const last = toInteger(to, { subject: 'both ends', ...BOUND });
  const size = Math.max(0, last - first + 1);
  if (size > MAX_RANGE) throw new HelperFault(`takes a range of at most ${MAX_RANGE} numbers, not ${size}`);
  return Array.from({ length: size }, (_, index) => first + index);
}

export const listHelpers: readonly TemplateHelper[] = [
  {
    name: 'join',
    signature: 'list separator [field]',
    description:
      'Joins the elements of a list, or a field of each element (a dotted path), with a separator.',
    examples: [
      { template: '{{join tags ", "}}', data: { tags: ['a', 'b'] }, output: 'a, b' },
      {
        template: '{{join people " & " "name.first"}}',
        data: { people: [{ name: { first: 'Ana' } }, { name: { first: 'Bo' } }] },
        output: 'Ana &amp; Bo',
      },
    ],
    argumentCount: [2, 3],
    run: join,
  },
  {
    name: 'length',
    signature: 'list',
    description: 'Counts the elements of a list or the characters of a text. An absent value counts as 0.',
    examples: [{ template: '{{length items}} items', data: { items: [1, 2, 3] }, output: '3 items' }],
    argumentCount: [1, 1],
    run: lengthOf,
  },
  {
    name: 'first',
    signature: 'list',
    description: 'Returns the first element.',
    examples: [
      {
        template: '{{#with (first items)}}{{name}}{{/with}}',
        data: { items: [{ name: 'a' }, { name: 'b' }] },
        output: 'a',
      },
    ],
    argumentCount: [1, 1],
    run: ([list]) => toList(list)[0],
  },
  {
    name: 'last',
    signature: 'list',
    description: 'Returns the last element.',
    examples: [{ template: '{{last items}}', data: { items: ['a', 'b'] }, output: 'b' }],
    argumentCount: [1, 1],
    run: ([list]) => toList(list).at(-1),
  },
  {
    name: 'range',
    signature: 'from to',
    description:
      'Returns the list of whole numbers from `from` to `to`, inclusive. The list has at most 10,000 numbers and is empty if `to` is smaller.',
    examples: [{ template: '{{#each (range 1 3)}}[{{this}}]{{/each}}', output: '[1][2][3]' }],
    argumentCount: [2, 2],
    run: range,
  },
];
