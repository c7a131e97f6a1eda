import { fieldOf, integerOption, toList, toNumber, toPath } from './arguments.ts';
import { addUp, divide, multiplyAll, roundTo } from './decimal.ts';
import type { HelperCall, TemplateHelper } from './definition.ts';

const DECIMALS = { min: 0, max: 20 };

/** The sums of the rows with one rate of tax. */
interface TaxGroup {
  /** In percent. */
  rate: number;
  net: number;
  tax: number;
  gross: number;
}

function taxesByRate([list, rate, ...fields]: readonly unknown[], call: HelperCall): TaxGroup[] {
  const ratePath = toPath(rate);
  const paths = fields.map(toPath);
  const decimals = integerOption(call, 'decimals', DECIMALS) ?? 2;
  const groups = new Map<number, number[]>();
  for (const row of toList(list)) {
    const percent = toNumber(fieldOf(row, ratePath));
    const net = roundTo(multiplyAll(paths.map((path) => toNumber(fieldOf(row, path)))), decimals);
    const amounts = groups.get(percent) ?? [];
    amounts.push(net);
    groups.set(percent, amounts);
  }
  return [...groups]
    .toSorted(([a], [b]) => b - a)
    .map(([percent, amounts]) => {
      const net = addUp(amounts);
      const tax = roundTo(divide(multiplyAll([net, percent]), 100), decimals);
      return { rate: percent, net, tax, gross: addUp([net, tax]) };
    });
}

export const taxHelpers: readonly TemplateHelper[] = [
  {
    name: 'taxesByRate',
    signature: 'list rate field [field …] decimals=',
    description:
      'Groups rows by the tax rate in percent that the field `rate` of each row has, and returns `rate`, `net`, `tax` and `gross` of each group, from the highest rate to the lowest. The net amount of a row is a field, or the product of several fields. Rows and taxes are rounded to `decimals` decimals, 2 by default.',
    examples: [
      {
        template:
          '{{#each (taxesByRate items "vat" "price" "quantity")}}[{{rate}}%: {{net}} + {{tax}} = {{gross}}]{{/each}}',
        data: {
          items: [
            { price: 19.99, quantity: 3, vat: 7 },
            { price: 5, quantity: 2, vat: 19 },
            { price: 10, quantity: 1, vat: 19 },
          ],
        },
        output: '[19%: 20 + 3.8 = 23.8][7%: 59.97 + 4.2 = 64.17]',
      },
    ],
    argumentCount: [3, 6],
    options: ['decimals'],
    run: taxesByRate,
  },
];
