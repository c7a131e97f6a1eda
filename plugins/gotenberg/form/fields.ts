import { messageOf, Type, type AppError, type TSchema } from '../../../src/plugin.ts';
import { invalidForm, type Form, type FormFile } from './form.ts';
import { parseGoJson } from './go-json.ts';
import { parseGoBool, parseGoDuration, parseGoFloat, parseGoInt } from './go-syntax.ts';

/** A field of a form: how it is read, and how the API documentation describes it. */
export interface Field<Value> {
  /** Describes the part of the form. */
  schema: TSchema;
  isRequired: boolean;
  /** The name of the part; by default that of the field in its table. */
  part?: string;
  /** Reads the field. Throws a {@link FieldFault} with Gotenberg's message. */
  read(form: Form, name: string): Value;
}

/** The fields of a route, by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of fields. */
export type FieldValues<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer Value> ? Value : never;
};

/** Thrown for a field that is missing or invalid. */
class FieldFault extends Error {
  override name = 'FieldFault';
}

/**
 * Reads all fields of a form.
 * @throws {AppError} VALIDATION_ERROR with the faults of all fields, one on each line
 */
export function readFields<F extends Fields>(form: Form, fields: F): FieldValues<F> {
  const faults: string[] = [];
  const values = Object.entries(fields).map(([name, field]) => {
    try {
      return [name, field.read(form, name)];
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      faults.push(error.message);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw invalidForm(faults);
  return Object.fromEntries(values) as FieldValues<F>;
}

interface Described {
  /** One sentence for the API documentation. */
  description: string;
}

/** Options of a field that may be absent: its value is then the default. An empty text counts as absent. */
interface Optional<Value> extends Described {
  default: Value;
  required?: false;
}

interface Required extends Described {
  required: true;
}

type Options<Value> = Optional<Value> | Required;

/** Reads a text. */
export const text = (options: Options<string>): Field<string> =>
  custom({ ...options, schema: Type.String(), parse: (given) => given });

/** Reads a boolean, such as `true` or `1`. */
export const bool = (options: Options<boolean>): Field<boolean> =>
  custom({ ...options, schema: Type.Boolean(), parse: parseGoBool });

/** Reads an integer. */
export const integer = (options: Options<number>): Field<number> =>
  custom({ ...options, schema: Type.Integer(), parse: parseGoInt });

/** Reads a number. */
export const number = (options: Options<number>): Field<number> =>
  custom({ ...options, schema: Type.Number(), parse: parseGoFloat });

/** Reads a duration, such as `2.5s`, as milliseconds. Its default is in milliseconds too. */
export const duration = (options: Options<number>): Field<number> =>
  custom({ ...options, schema: Type.String({ examples: ['2.5s'] }), parse: parseGoDuration });

/**
 * Reads one of several words. `fault` is Gotenberg's message for others, such as `wrong value, expected
 * either 'screen' or 'print'`.
 */
export const choice = <const Words extends readonly string[], Default = Words[number]>(
  words: Words,
  { fault, ...options }: Options<Default> & { fault: string },
): Field<Words[number] | Default> =>
  custom<Words[number] | Default>({
    ...options,
    schema: Type.Union(words.map((word) => Type.Literal(word))),
    parse(given) {
      if (!words.includes(given)) throw new Error(fault);
      return given;
    },
  });

/**
 * Reads JSON. `subject` names it in the message for a malformed text: `unmarshal <subject>: …`. `check`
 * converts the value, and throws an `Error` whose message says why it is invalid.
 */
export const json = <Value>({
  subject,
  check,
  schema = Type.String({ contentMediaType: 'application/json' }),
  ...options
}: Options<Value> & {
  subject: string;
  check: (value: unknown) => Value;
  schema?: TSchema;
}): Field<Value> =>
  custom<Value>({
    ...options,
    schema,
    parse(given) {
      try {
        return check(parseGoJson(given));
      } catch (error) {
        throw new Error(`unmarshal ${subject}: ${messageOf(error)}`, { cause: error });
      }
    },
  });

/**
 * Reads a text in any other way. `parse` throws an `Error` whose message says why the text is invalid; the
 * caller sees it in `form field '<name>' is invalid (got '<text>', resulting to <message>)`.
 */
export function custom<Value>({
  schema,
  parse,
  description,
  ...options
}: Options<Value> & { schema: TSchema; parse: (given: string) => Value }): Field<Value> {
  const isRequired = options.required === true;
  return {
    isRequired,
    schema: { ...schema, description, ...defaultOf(options) },
    read(form, name) {
      const given = form.value(name);
      if (given === '') {
        if (options.required) throw new FieldFault(`form field '${name}' is required`);
        return options.default;
      }
      try {
        return parse(given);
      } catch (error) {
        throw new FieldFault(faultOf(name, given, messageOf(error)), { cause: error });
      }
    },
  };
}

/** Creates the error for a text that turns out to be invalid after all fields are read. */
export function invalidField(name: string, given: string, reason: string): AppError {
  return invalidForm([faultOf(name, given, reason)]);
}

function faultOf(name: string, given: string, reason: string): string {
  return `form field '${name}' is invalid (got '${shortened(given)}', resulting to ${reason})`;
}

const MAX_SHOWN_CHARACTERS = 1_000;

function shortened(given: string): string {
  return given.length > MAX_SHOWN_CHARACTERS ? `${given.slice(0, MAX_SHOWN_CHARACTERS)}…` : given;
}

/** Shows a default in the documentation, unless it only stands for an absent field. */
function defaultOf(options: { default?: unknown; required?: boolean }): { default?: unknown } {
  if (options.required || options.default === undefined || options.default === null) return {};
  return options.default === '' || typeof options.default === 'object' ? {} : { default: options.default };
}

const FileSchema = Type.String({ format: 'binary' });

/**
 * Reads the files with one of the extensions (in lower case, with a dot), ordered by their names. They are
 * parts named `files`, whatever the name of this field in its table is; `field` names other parts.
 */
export function files({
  extensions,
  required = false,
  field = 'files',
  description,
}: Described & { extensions?: readonly string[]; required?: boolean; field?: string }): Field<
  readonly FormFile[]
> {
  return {
    isRequired: required,
    part: field,
    schema: Type.Array(FileSchema, { description }),
    read(form) {
      const found = form.filesOf(field, extensions);
      if (required && found.length === 0)
        throw new FieldFault(`no form file found for extensions: [${(extensions ?? []).join(' ')}]`);
      return found;
    },
  };
}

/**
 * Reads the file with this name, such as `index.html`, among the parts named `files`. The case of its
 * extension does not matter.
 */
export function file(options: Described & { name: string; required: true }): Field<FormFile>;
export function file(options: Described & { name: string }): Field<FormFile | undefined>;
export function file({
  name,
  required = false,
  description,
}: Described & { name: string; required?: boolean }): Field<FormFile | undefined> {
  const withLowerExtension = (given: string) => given.replace(/\.[^.]*$/, (end) => end.toLowerCase());
  return {
    isRequired: required,
    part: 'files',
    schema: Type.Array(FileSchema, { description }),
    read(form) {
      const found = form
        .filesOf('files')
        .find((each) => each.name === name || withLowerExtension(each.name) === name);
      if (!found && required) throw new FieldFault(`form file '${name}' is required`);
      return found;
    },
  };
}
