/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

export type JsonObject = { [key: string]: Json };

/** Data to print a starter with. */
export interface Variant {
  name: string;
  data: JsonObject;
  /**
   * Length of the longest list. The first text of each row ends with its number, as in `#7`. Absent if the
   * list is as in the sample.
   */
  numberedRows?: number;
}

const MANY = 60;
const DATE_OR_ADDRESS = /^\d{4}-\d\d|^https?:|@|^www\./;

const LONG_WORD = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz';
const LONG = [
  'including installation, calibration, on-site training for all shifts and the written report that is due thirty days later',
  LONG_WORD,
  'of the International Association for the Advancement of Comparative Hydrology and Glaciology, Southern Branch',
];
const ARABIC = [
  'خدمات استشارية في تصميم الأنظمة',
  'شركة النور للتجارة والمقاولات',
  'شارع الملك فهد، حي العليا ٤٢',
  'ورق مقوّى مطبوع بأربعة ألوان',
];
const CHINESE = [
  '系统设计咨询与实施服务',
  '上海晨光文化传播有限公司',
  '浦东新区世纪大道一百号环球金融中心',
  '四色印刷卡纸及包装材料',
];

/** Text with characters that have a meaning in HTML and CSS. */
export const HOSTILE = 'A&B\'s "7" \\ <x>';
/** Fields that templates pass to `Intl` or compare. */
const SETTINGS = new Set(['locale', 'lang', 'currency', 'type', 'cbc:DocumentCurrencyCode']);

/** Fields of payment codes, whose values banks must be able to read. */
const PAYMENT_FIELDS = new Set(['creditor', 'debtor', 'qr_bill']);

/**
 * Derives data that can break layouts from a starter's sample: one row, sixty rows, very long texts and
 * words, Arabic, Chinese, characters with a meaning in HTML and CSS, and every optional field absent,
 * together and one by one. A field is optional if the template tests it (`#if`, `#unless`, `default`).
 */
export function variantsOf({ sample_data, html }: { sample_data: JsonObject; html: string }): Variant[] {
  const optional = optionalNames(html);
  const rows = rowsOf(sample_data);
  const repeated = repeatRows(sample_data, rows, MANY);
  const count = (numberedRows: number) => (rows === undefined ? {} : { numberedRows });
  return [
    { name: 'sample', data: sample_data },
    { name: 'short', data: repeatRows(sample_data, rows, 1), ...count(1) },
    { name: 'rows', data: repeated, ...count(MANY) },
    { name: 'long', data: mapText(repeated, lengthen), ...count(MANY) },
    { name: 'words', data: mapText(sample_data, lengthen) },
    { name: 'arabic', data: mapText(repeatRows(sample_data, rows, 12), pickFrom(ARABIC)), ...count(12) },
    { name: 'chinese', data: mapText(repeatRows(sample_data, rows, 12), pickFrom(CHINESE)), ...count(12) },
    { name: 'hostile', data: hostile(sample_data) },
    { name: 'bare', data: without(sample_data, optional) },
    ...[...optional].map((name) => ({
      name: `without-${name}`,
      data: without(sample_data, new Set([name])),
    })),
  ];
}

/** Repeats the entries of every top-level list three times. */
export function tripled(data: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value, ...value, ...value] : value,
    ]),
  );
}

/** Returns the name of the list that grows in the variants: the longest top-level list of objects. */
export function rowsOf(data: JsonObject): string | undefined {
  const lists = Object.entries(data).filter(
    ([, value]) => Array.isArray(value) && value.length > 0 && value.every(isObject),
  );
  const size = ([, value]: [string, Json]) => (Array.isArray(value) ? value.length : 0);
  return lists.sort((a, b) => size(b) - size(a))[0]?.[0];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Tells whether a string is text for people rather than a code, a date, a web address or a keyword that the
 * template compares.
 */
export function isDisplayText(value: string): boolean {
  if (DATE_OR_ADDRESS.test(value)) return false;
  // Arabic, Hebrew and Japanese have no capitals.
  return /\p{Lo}{2}/u.test(value) || (/\p{Ll}/u.test(value) && /^\p{Lu}|\s/u.test(value));
}

function repeatRows(data: JsonObject, name: string | undefined, count: number): JsonObject {
  const list = name === undefined ? undefined : data[name];
  if (name === undefined || !Array.isArray(list)) return data;
  const rows = Array.from({ length: count }, (_, index) => numbered(list[index % list.length]!, index + 1));
  return { ...data, [name]: rows };
}

function numbered(row: Json, number: number): Json {
  if (!isObject(row)) return row;
  for (const [key, value] of Object.entries(row)) {
    if (typeof value === 'string' && isDisplayText(value)) return { ...row, [key]: `${value} #${number}` };
  }
  return row;
}

/** Replaces every text for people. The number of a row stays at its end. */
function mapText(data: JsonObject, replace: (text: string, index: number) => string): JsonObject {
  let index = 0;
  const map = (value: Json): Json => {
    if (typeof value === 'string') return isDisplayText(value) ? replace(value, index++) : value;
    if (Array.isArray(value)) return value.map(map);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, PAYMENT_FIELDS.has(key) ? inner : map(inner)]),
    );
  };
  return map(data) as JsonObject;
}

function lengthen(text: string, index: number): string {
  const [, words = text, number = ''] = /^(.*?)( #\d+)?$/s.exec(text) ?? [];
  return `${words} ${LONG[index % LONG.length]}${number}`;
}

function pickFrom(texts: string[]): (text: string, index: number) => string {
  return (text, index) => `${texts[index % texts.length]}${/ #\d+$/.exec(text)?.[0] ?? ''}`;
}

/** Replaces every string, including codes, except dates, settings and images. */
function hostile(data: JsonObject): JsonObject {
  const map = (value: Json, key = ''): Json => {
    if (typeof value === 'string')
      return SETTINGS.has(key) || /^\d{4}-\d\d(?!\d)|^data:/.test(value) ? value : `${HOSTILE}\n${HOSTILE}`;
    if (Array.isArray(value)) return value.map((inner) => map(inner));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        PAYMENT_FIELDS.has(name) ? inner : map(inner, name),
      ]),
    );
  };
  return map(data) as JsonObject;
}

/** Finds the names and top-level paths that the template tests before it writes them. */
function optionalNames(html: string): Set<string> {
  const asked = html.matchAll(/\{\{#(?:if|unless) +(?:@root\.|\.\.\/)*([\w.]+) *\}\}|\(?default +([\w.]+)/g);
  const names = [...asked].map(([, block, fallback]) => block ?? fallback ?? '');
  return new Set(names.filter((name) => name !== '' && name !== 'this'));
}

/** Removes fields, by name at any depth or by path from the top. */
function without(data: JsonObject, names: Set<string>): JsonObject {
  const strip = (value: Json, path: string): Json => {
    if (Array.isArray(value)) return value.map((inner) => strip(inner, `${path}[]`));
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([key]) => !names.has(key) && !names.has(`${path}.${key}`));
    const at = (key: string) => (path === '' ? key : `${path}.${key}`);
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner, at(key))]));
  };
  return strip(data, '') as JsonObject;
}
