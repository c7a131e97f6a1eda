import { isCode } from '../data/codes.ts';

/** The names of units of measure, with their codes in UN/ECE recommendation 20. */
export const UNITS: Readonly<Record<string, string>> = {
  piece: 'H87',
  pcs: 'H87',
  unit: 'C62',
  each: 'EA',
  pair: 'PR',
  set: 'SET',
  second: 'SEC',
  minute: 'MIN',
  hour: 'HUR',
  day: 'DAY',
  week: 'WEE',
  month: 'MON',
  year: 'ANN',
  mg: 'MGM',
  g: 'GRM',
  kg: 'KGM',
  t: 'TNE',
  lb: 'LBR',
  oz: 'ONZ',
  mm: 'MMT',
  cm: 'CMT',
  m: 'MTR',
  km: 'KMT',
  m2: 'MTK',
  m3: 'MTQ',
  ml: 'MLT',
  l: 'LTR',
  kwh: 'KWH',
  mwh: 'MWH',
  box: 'XBX',
  package: 'XPK',
  pallet: 'XPX',
  bottle: 'XBO',
  bag: 'XBG',
  lump_sum: 'LS',
  percent: 'P1',
};

/** The minimum length of a plural. The s of `ms` belongs to another unit. */
const MIN_PLURAL = 4;
const MAX_TYPED = 40;

/** Returns the code of a unit: of its name, in the singular or plural, or the code itself. */
export function unitCode(typed: string): string | undefined {
  if (isCode('unit', typed)) return typed;
  const name = typed.slice(0, MAX_TYPED).toLowerCase().replaceAll(/[ -]/g, '_');
  const names = name.length >= MIN_PLURAL && name.endsWith('s') ? [name, name.slice(0, -1)] : [name];
  if (name.endsWith('xes')) names.push(name.slice(0, -2));
  const known = names.find((one) => Object.hasOwn(UNITS, one));
  return known === undefined ? undefined : UNITS[known];
}

/** States that a unit is unknown, with the nearest name. */
export function unknownUnit(typed: string): string {
  const shown = JSON.stringify(typed.slice(0, MAX_TYPED));
  const near = isCode('unit', typed.toUpperCase())
    ? typed.toUpperCase()
    : Object.keys(UNITS).find((name) => name.length > 2 && name.startsWith(typed.slice(0, 2).toLowerCase()));
  const advice =
    near === undefined ? `use one of ${Object.keys(UNITS).join(', ')}` : `did you mean "${near}"?`;
  return `${shown} is not a unit: ${advice}${near === undefined ? ', or a code of UN/ECE recommendation 20' : ''}`;
}
