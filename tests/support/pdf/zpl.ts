/** A label that was read from ZPL. */
export interface ZplLabel {
  width: number;
  height: number;
  /** Tells whether a dot is black. */
  isBlack: (x: number, y: number) => boolean;
}

/** Reads labels with one `^GFA` each, as the programming guide of ZPL II describes them. */
export function readZpl(zpl: string): ZplLabel[] {
  const labels = zpl.match(/\^XA[^]*?\^XZ/g) ?? [];
  return labels.map((label) => {
    const [, width = ''] = /\^PW(\d+)/.exec(label) ?? [];
    const [, height = ''] = /\^LL(\d+)/.exec(label) ?? [];
    const graphics = [...label.matchAll(/\^FO0,0\^GFA,(\d+),(\d+),(\d+),([^^]*)\^FS/g)];
    const [[, sent, total, perRow, data = ''] = []] = graphics;
    if (graphics.length !== 1 || sent !== total) throw new Error('a label must have one graphic');
    const rows = readRows(data, Number(perRow) * 2);
    if (rows.length !== Number(height) || Number(total) !== rows.length * Number(perRow))
      throw new Error('the graphic has another size than the label');
    const isBlack = (x: number, y: number) =>
      ((Number.parseInt(rows[y]?.[x >> 2] ?? '0', 16) >> (3 - (x & 3))) & 1) === 1;
    return { width: Number(width), height: Number(height), isBlack };
  });
}

function readRows(data: string, digits: number): string[] {
  const rows: string[] = [];
  let row = '';
  let count = 0;
  const end = (text: string) => {
    rows.push(text);
    row = '';
  };
  for (const character of data) {
    if (character >= 'G' && character <= 'Y') count += character.charCodeAt(0) - 70;
    else if (character >= 'g' && character <= 'z') count += (character.charCodeAt(0) - 102) * 20;
    else if (character === ',') end(row.padEnd(digits, '0'));
    else if (character === '!') end(row.padEnd(digits, 'F'));
    else if (character === ':') end(rows.at(-1) ?? '');
    else {
      if (!/[0-9A-F]/.test(character)) throw new Error(`${character} is not a digit`);
      row += character.repeat(Math.max(1, count));
      count = 0;
      if (row.length > digits) throw new Error('a row is too long');
      if (row.length === digits) end(row);
    }
  }
  return rows;
}
