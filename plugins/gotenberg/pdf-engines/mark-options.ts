import { AppError } from '../../../src/plugin.ts';
import { invalidField } from './errors.ts';

/** The options of pdfcpu that have an effect here. Without a rotation, a mark follows the diagonal. */
export interface MarkOptions {
  points: number;
  position: string;
  offset: { x: number; y: number };
  /** A fraction of the page, or a factor of the own size. */
  scale: { factor: number; isAbsolute: boolean };
  rotation: number | 'diagonal-up' | 'diagonal-down';
  opacity: number;
  color: string;
}

const DEFAULTS: MarkOptions = {
  points: 24,
  position: 'center',
  offset: { x: 0, y: 0 },
  scale: { factor: 0.5, isAbsolute: false },
  rotation: 'diagonal-up',
  opacity: 1,
  color: '#808080',
};

/** The options that Platen does not draw, and a value that changes nothing, if there is one. */
const UNSUPPORTED: ReadonlyMap<string, string | undefined> = new Map([
  ['backgroundcolor', undefined],
  ['bgcolor', undefined],
  ['border', undefined],
  ['rendermode', '0'],
  ['url', undefined],
]);

/** Options without an effect: text has the font of the service, which contains all scripts. */
const IGNORED: ReadonlySet<string> = new Set(
  'aligntext fontname margins rtl scriptname strokecolor'.split(' '),
);

const POSITIONS: Readonly<Record<string, string>> = {
  tl: 'top-left',
  tc: 'top',
  tr: 'top-right',
  l: 'left',
  c: 'center',
  r: 'right',
  bl: 'bottom-left',
  bc: 'bottom',
  br: 'bottom-right',
};

const NUMBER = String.raw`[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})`;

/** Reads the value of an option, or throws an `Error` that says what is valid. */
const READERS: Readonly<Record<string, (value: string) => Partial<MarkOptions>>> = {
  points: (value) => ({ points: numberIn(value, 1, 2_000) }),
  position(value) {
    const short = value.toLowerCase().replaceAll(/[^a-z]/g, '');
    const long = Object.entries(POSITIONS).find(([key, name]) => {
      const words = name === 'top' || name === 'bottom' ? `${name}center` : name.replace('-', '');
      return short === key || short === words || short === name;
    });
    if (!long) throw new Error(`one of ${Object.keys(POSITIONS).join(', ')}`);
    return { position: long[1] };
  },
  offset(value) {
    const [x, y, ...others] = value.trim().split(/\s+/);
    if (others.length > 0) throw new Error('two numbers such as 10 -20');
    return { offset: { x: numberIn(x ?? '', -14_400, 14_400), y: numberIn(y ?? '', -14_400, 14_400) } };
  },
  scalefactor(value) {
    const [factor = '', kind = 'rel', ...others] = value.trim().split(/\s+/);
    if (others.length > 0 || !/^(?:a(?:bs)?|r(?:el)?)$/.test(kind))
      throw new Error('such as 0.5 rel or 2 abs');
    const isAbsolute = kind.startsWith('a');
    return { scale: { factor: numberIn(factor, 0.001, isAbsolute ? 80 : 1), isAbsolute } };
  },
  rotation: (value) => ({ rotation: numberIn(value, -180, 180) }),
  diagonal(value) {
    if (value !== '1' && value !== '2') throw new Error('1 or 2');
    return { rotation: value === '1' ? 'diagonal-up' : 'diagonal-down' };
  },
  opacity: (value) => ({ opacity: numberIn(value, 0, 1) }),
  fillcolor: (value) => ({ color: colorOf(value) }),
  color: (value) => ({ color: colorOf(value) }),
};

const NAMES = [...Object.keys(READERS), ...UNSUPPORTED.keys(), ...IGNORED];
/** The abbreviations that stand for one of several options, because pdfcpu's documentation uses them. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sc: 'scalefactor',
    scale: 'scalefactor',
    col: 'color',
  }),
);

/**
 * Reads the options of a watermark or a stamp, whose names may be abbreviated as in pdfcpu: `rot` is
 * `rotation`.
 * @throws {AppError} VALIDATION_ERROR for an unknown name or an invalid value; NOT_IMPLEMENTED for an option
 * that Platen does not draw
 */
export function readMarkOptions(field: string, given: Readonly<Record<string, string>>): MarkOptions {
  const names = new Map(Object.entries(given).map(([key, value]) => [nameOf(field, key), value.trim()]));
  if (names.has('rotation') && names.has('diagonal'))
    throw invalidField(field, 'has rotation and diagonal, which exclude each other');
  let options = DEFAULTS;
  for (const [name, value] of names) {
    if (UNSUPPORTED.has(name)) {
      if (UNSUPPORTED.get(name) === value) continue;
      throw new AppError('NOT_IMPLEMENTED', `Platen does not draw the option '${name}' of '${field}'.`);
    }
    try {
      options = { ...options, ...READERS[name]?.(value) };
    } catch (error) {
      throw invalidField(field, `has an invalid ${name}: it must be ${(error as Error).message}`);
    }
  }
  return options;
}

function nameOf(field: string, key: string): string {
  const given = key.trim().toLowerCase();
  const known = NAMES.includes(given) ? given : ABBREVIATIONS.get(given);
  const candidates = known === undefined ? NAMES.filter((name) => name.startsWith(given)) : [known];
  const [name, second] = candidates;
  if (name === undefined || given === '')
    throw invalidField(field, `has the unknown option '${key.slice(0, 50)}'`);
  if (second !== undefined)
    throw invalidField(field, `has the ambiguous option '${given}': ${candidates.join(', ')}`);
  return name;
}

function numberIn(value: string, least: number, most: number): number {
  const number = new RegExp(`^${NUMBER}$`).test(value.trim()) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most)) throw new Error(`a number from ${least} to ${most}`);
  return number;
}

/** The names of colours that pdfcpu knows. */
const COLORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    black: '#000000',
    darkgray: '#404040',
    gray: '#808080',
    lightgray: '#c0c0c0',
    white: '#ffffff',
    red: '#ff0000',
    green: '#00ff00',
    blue: '#0000ff',
  }),
);

function colorOf(value: string): string {
  const given = value.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(given)) return given;
  const named = COLORS.get(given);
  if (named !== undefined) return named;
  const parts = given.split(/\s+/);
  if (parts.length !== 3) throw new Error('such as #FF0000 or 1 0 0');
  const hex = parts.map((part) =>
    Math.round(numberIn(part, 0, 1) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}
