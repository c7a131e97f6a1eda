/** A reference to cells, or to whole rows, whose columns are empty. */
export interface CellReference {
  /** The name of the sheet; `undefined` for the sheet of the formula. */
  sheet: string | undefined;
  first: CellPosition;
  /** Absent for one cell. */
  last: CellPosition | undefined;
  /** The innermost function with the reference as an argument, in upper case; empty outside of functions. */
  within: string;
}

export interface CellPosition {
  column: string;
  isColumnFixed: boolean;
  row: number;
  isRowFixed: boolean;
}

const CELLS =
  /(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?::(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7}))?(?![\p{L}\p{N}_.(!])/uy;
const ROWS = /(\$?)(\d{1,7}):(\$?)(\d{1,7})(?![\p{L}\p{N}_.(!])/uy;
const NAME = /[\p{L}_\\][\p{L}\p{N}_.\\]*/uy;
const NUMBER = /\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/y;

/**
 * Replaces the references in a formula (ISO/IEC 29500-1, 18.17.2). References to other workbooks and to
 * tables stay. `replace` returns the new text, with the name of the sheet, or `undefined` to keep it.
 */
export function replaceReferences(
  formula: string,
  replace: (reference: CellReference) => string | undefined,
): string {
  const functions: string[] = [];
  let result = '';
  let at = 0;
  let sheet: { name: string; text: string } | undefined;
  let isExternal = false;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(formula);
    if (match) at += match[0].length;
    return match;
  };
  /** Takes a text in quotes, in which two quotes stand for one. */
  const takeQuoted = () => {
    const mark = formula[at] ?? '';
    let end = at;
    do end = formula.indexOf(mark, end + 1) + 1 || formula.length;
    while (formula[end] === mark && end < formula.length);
    const taken = formula.slice(at, end);
    at = end;
    return taken;
  };
  /** Notes the sheet of the next reference, and skips the `!`. */
  const takeSheet = (name: string, written: string) => {
    isExternal ||= result.endsWith(':') || name.includes('[');
    sheet = { name, text: `${sheet?.text ?? ''}${written}!` };
    at += 1;
  };
  const keep = (text: string) => {
    result += (sheet?.text ?? '') + text;
    sheet = undefined;
    isExternal = false;
  };
  const refer = (text: string, reference: Pick<CellReference, 'first' | 'last'>) => {
    const within = functions.at(-1) ?? '';
    const changed = isExternal ? undefined : replace({ ...reference, sheet: sheet?.name, within });
    if (changed === undefined) keep(text);
    else {
      sheet = undefined;
      keep(changed);
    }
  };
  while (at < formula.length) {
    if (formula[at] === '"') {
      keep(takeQuoted());
      continue;
    }
    if (formula[at] === "'") {
      const quoted = takeQuoted();
      if (formula[at] === '!') takeSheet(quoted.slice(1, -1).replaceAll("''", "'"), quoted);
      else keep(quoted);
      continue;
    }
    if (formula[at] === '[') {
      const end = formula.indexOf(']', at) + 1 || formula.length;
      keep(formula.slice(at, end));
      isExternal = true;
      at = end;
      continue;
    }
    const cells = take(CELLS);
    if (cells) {
      const [
        whole,
        fixedColumn,
        column = '',
        fixedRow,
        row,
        lastFixedColumn,
        lastColumn,
        lastFixedRow,
        lastRow,
      ] = cells;
      refer(whole, {
        first: position(column, fixedColumn, row, fixedRow),
        last:
          lastColumn === undefined ? undefined : position(lastColumn, lastFixedColumn, lastRow, lastFixedRow),
      });
      continue;
    }
    const rows = take(ROWS);
    if (rows) {
      const [whole, fixedRow, row, lastFixedRow, lastRow] = rows;
      refer(whole, { first: position('', '', row, fixedRow), last: position('', '', lastRow, lastFixedRow) });
      continue;
    }
    const name = take(NAME)?.[0];
    if (name !== undefined && formula[at] === '!') {
      takeSheet(name, name);
      continue;
    }
    if (name !== undefined && formula[at] === '(') {
      keep(`${name}(`);
      functions.push(name.toUpperCase());
      at += 1;
      continue;
    }
    const other = name ?? take(NUMBER)?.[0];
    if (other !== undefined) {
      keep(other);
      continue;
    }
    const character = formula[at] ?? '';
    at += 1;
    if (character === '(') functions.push('');
    if (character === ')') functions.pop();
    keep(character);
  }
  return result + (sheet?.text ?? '');
}

function position(
  column: string,
  fixedColumn: string | undefined,
  row: string | undefined,
  fixedRow: string | undefined,
): CellPosition {
  return {
    column: column.toUpperCase(),
    isColumnFixed: fixedColumn === '$',
    row: Number(row),
    isRowFixed: fixedRow === '$',
  };
}

/** Writes a position as in a formula. */
export function writePosition({ column, isColumnFixed, row, isRowFixed }: CellPosition): string {
  return `${isColumnFixed ? '$' : ''}${column}${isRowFixed ? '$' : ''}${row}`;
}

/** Writes the name of a sheet as in a formula; empty for `undefined`. */
export function writeSheet(name: string | undefined): string {
  if (name === undefined) return '';
  return `'${name.replaceAll("'", "''")}'!`;
}

/** Moves the references of a formula that are not fixed, as a copy to another cell does. */
export function moveFormula(formula: string, by: { rows: number; columns: number }): string {
  const move = (at: CellPosition): CellPosition => ({
    ...at,
    row: at.isRowFixed ? at.row : at.row + by.rows,
    column:
      at.isColumnFixed || at.column === ''
        ? at.column
        : columnName(Math.max(1, columnNumber(at.column) + by.columns)),
  });
  return replaceReferences(formula, ({ sheet, first, last }) => {
    const end = last ? `:${writePosition(move(last))}` : '';
    return `${writeSheet(sheet)}${writePosition(move(first))}${end}`;
  });
}

/** Returns the number of a column, from 1 for A. */
export function columnNumber(name: string): number {
  let number = 0;
  for (let index = 0; index < name.length; index += 1) number = number * 26 + name.charCodeAt(index) - 64;
  return number;
}

/** Returns the letters of a column, from A for 1. */
export function columnName(number: number): string {
  let name = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** Splits a reference to one cell such as `B7`. */
export function readCell(reference: string): { column: string; row: number } | undefined {
  const [, column, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  return column === undefined ? undefined : { column, row: Number(row) };
}
