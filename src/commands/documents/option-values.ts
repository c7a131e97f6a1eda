import { InvalidArgumentError } from 'commander';

type Options = Record<string, unknown>;

/** Values that may be JSON; every other value is text. */
const JSON_VALUE = /^(?:true|false|null|-?\d+(?:\.\d+)?|[[{"].*)$/s;
/** Names that would change the prototype of an object. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Adds a value of `--option name=value` to the ones before it. A dot leads into an object:
 * `margin.top=20mm`. Values that are JSON are read as JSON.
 */
export function addOption(text: string, before: Options = {}): Options {
  const at = text.indexOf('=');
  const path = text.slice(0, at).split('.');
  if (at <= 0 || path.some((name) => name === '' || FORBIDDEN.has(name)))
    throw new InvalidArgumentError('Write it as name=value, such as format=A4 or margin.top=20mm.');
  return withValue(before, path, readValue(text.slice(at + 1)));
}

/** Returns options in which `changes` replace or complete the values, also inside of objects. */
export function mergeOptions(options: Options, changes: Options): Options {
  const merged = { ...options };
  for (const [name, value] of Object.entries(changes)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? mergeOptions(before, value) : value;
  }
  return merged;
}

function withValue(options: Options, [name = '', ...rest]: readonly string[], value: unknown): Options {
  if (rest.length === 0) return { ...options, [name]: value };
  const inner = options[name];
  return { ...options, [name]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

function readValue(text: string): unknown {
  if (!JSON_VALUE.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Such as `007` or `[draft]`.
    return text;
  }
}

function isObject(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
