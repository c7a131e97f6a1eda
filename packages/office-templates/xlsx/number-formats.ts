import { decodeXml, type TreeElement } from '@platen/xml';
import type { OfficePackage } from '../opc.ts';
import { allOf, childOf, elementsOf } from '../tree.ts';

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, and how many days the other calendar begins later (ISO/IEC 29500-1, 18.17.4). */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;

const ISO_DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Formats without a code in the file that show dates or times (ISO/IEC 29500-1, 18.8.30). */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** Returns the indexes of the cell styles that show dates or times. */
export function dateStyles(file: OfficePackage): ReadonlySet<string> {
  const part = file.relationships(file.main).find(({ kind }) => kind === 'styles')?.target;
  if (part === undefined || !file.has(part)) return new Set();
  const styles = file.read(part);
  const codes = new Map(
    allOf(styles, 'numFmt').map(({ attributes }) => [
      attributes.get('numFmtId'),
      decodeXml(attributes.get('formatCode') ?? ''),
    ]),
  );
  const formats = childOf(styles, 'cellXfs');
  const found = new Set<string>();
  for (const [index, { attributes }] of (formats ? elementsOf(formats) : []).entries()) {
    const id = attributes.get('numFmtId');
    const code = codes.get(id);
    if (code === undefined ? isBuiltInDate(Number(id)) : isDateCode(code)) found.add(String(index));
  }
  return found;
}

function isDateCode(code: string): boolean {
  const [positive = ''] = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '').split(';');
  return /[dmyhs]/i.test(positive.replaceAll(/general/gi, ''));
}

/** Returns the serial number of a date or time in ISO 8601; `undefined` for other text. */
export function toSerial(text: string, { is1904 }: { is1904: boolean }): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = ISO_DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [years, months, days] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(years, months - 1, days));
  if (date.getUTCMonth() !== months - 1 || date.getUTCDate() !== days || years < 1900) return undefined;
  const time = (Number(hour) * 3_600 + Number(minute) * 60 + Number(second)) / 86_400;
  return (date.getTime() - DAY_ZERO_MS) / DAY_MS + time - (is1904 ? DAYS_TO_1904 : 0);
}

/** Tells whether a workbook counts days from 1904. */
export function countsFrom1904(workbook: TreeElement): boolean {
  const value = childOf(workbook, 'workbookPr')?.attributes.get('date1904');
  return value === '1' || value === 'true';
}
