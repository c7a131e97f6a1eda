/** The rows of a table whose page bottoms carry the sum of its amounts. */
export interface CarriedTableOptions {
  rows: number;
  /** Attributes of the table. */
  attributes?: string;
  /** The row of a number; by default the number with its amount, which is the same number. */
  row?: (number: number) => string;
}

/** Returns the row of a number, with more content in its first cell. */
export function itemRow(number: number, more = ''): string {
  return `<tr><td>(${number})${more}</td><td data-sum="net">${number}.00</td></tr>`;
}

/** A table that shows `B=` with the sum so far at the top of each page, `C=` at the foot, and `T=` at the end. */
export function carriedTable({ rows, attributes = '', row = itemRow }: CarriedTableOptions): string {
  const subtotal = '<span data-subtotal="net" data-format="decimals=0"></span>';
  return `<table ${attributes}>
    <thead><tr><th>Item</th><th>Net</th></tr><tr data-brought-forward><td>Brought</td><td>B=${subtotal}</td></tr></thead>
    <tbody>${Array.from({ length: rows }, (_, index) => row(index + 1)).join('')}</tbody>
    <tfoot><tr data-carried-forward><td>Carried</td><td>C=${subtotal}</td></tr><tr data-show-on="last"><td>Total</td><td>T=${subtotal}</td></tr></tfoot>
  </table>`;
}
