import type { DataNode } from '../data/node.ts';
import { Decimal } from '../decimal.ts';

/** Adds up allowances and charges. */
export function allowanceSums(list: readonly DataNode[]): { allowances: Decimal; charges: Decimal } {
  const sum = (indicator: string) =>
    Decimal.sum(
      list
        .filter((node) => node.text('cbc:ChargeIndicator') === indicator)
        .map((node) => decimalAt(node, 'cbc:Amount') ?? Decimal.zero),
    );
  return { allowances: sum('false'), charges: sum('true') };
}

/** Reads the number at a path; `undefined` if it is absent. */
export function decimalAt(node: DataNode, path: string): Decimal | undefined {
  const text = node.text(path);
  return text === undefined ? undefined : Decimal.parse(text);
}
