import { isUtf8 } from 'node:buffer';
import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import { AppError, invalid } from '../../errors.ts';
import { decodeText } from '../../sliced-text.ts';
import { expectedValue, shortened } from '../../explain-fault.ts';
import { fieldGroup, findGroups } from '../field-group.ts';
import type { BodyKind, BodySpec } from './body-kind.ts';
import { isFileInput, type FileValue } from '../../json/file-input.ts';
import { planLifts, type LiftPlan } from '../../json/lift-plan.ts';
import { parseMultipart, quote, readBoundary, type Part } from './multipart.ts';
import { isRawObject } from '../../json/raw-json.ts';
import { parsePlanned } from './read-json.ts';

/** The name of the part that contains, as JSON, the fields that are not sent as parts. */
const REQUEST = 'request';
/** Longer text of a file field is base64, which is not decoded here. */
const MAX_SHORT_BYTES = 1_000;

/** The first byte of an object or a list in JSON. */
const OPENING: readonly unknown[] = Array.from(Buffer.from('{['));

type Form = 'file' | 'files' | 'text' | 'number' | 'boolean' | 'json' | 'text or json';

/** A field of the body and how its part is read. */
interface Field {
  form: Form;
  schema: TSchema;
  plan: LiftPlan | undefined;
}

/**
 * Bodies of multipart/form-data (RFC 7578) for a route with an object schema. Each part is a field: files are
 * parts with their bytes, lists of files are repeated parts, and text becomes a number, a boolean or JSON
 * where the schema says so. The part `request` contains all other fields as JSON.
 */
export const multipartBody: BodyKind = {
  name: 'multipart',
  label: 'form data',
  mediaType: 'multipart/form-data',
  createReader(schema) {
    const fields = readFields(schema);
    const plan = planLifts(schema);
    return async (body) => {
      const boundary = readBoundary(body.headers.get('content-type') ?? '');
      return assemble(await parseMultipart(await body.bytes(), boundary), fields, plan);
    };
  },
  describe: describeParts,
};

/** Describes the bodies of a route that takes JSON and, for its files, multipart/form-data. */
export function jsonOrMultipart<Schema extends TSchema>(schema: Schema): readonly BodySpec<Schema>[] {
  return [
    { kind: 'json', schema },
    { kind: multipartBody.name, schema },
  ];
}

function readFields(schema: TSchema): ReadonlyMap<string, Field> {
  const properties = Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {});
  return new Map(
    properties.map(([name, field]) => [
      name,
      { form: formOf(field), schema: field, plan: planLifts(field) } satisfies Field,
    ]),
  );
}

function formOf(schema: TSchema): Form {
  const { type, anyOf, items } = schema as { type?: string; anyOf?: TSchema[]; items?: TSchema };
  if (isFileInput(schema)) return 'file';
  if (items && isFileInput(items)) return 'files';
  if (isRawObject(schema)) return 'json';
  if (anyOf) {
    const members = anyOf.filter((member) => (member as { type?: string }).type !== 'null');
    const exceptWords = members.filter((member) => typeof member['const'] !== 'string');
    // A text that is not a number stays a text, so it may be a word.
    if (exceptWords.length > 0 && exceptWords.every((member) => formOf(member) === 'number')) return 'number';
    const forms = members.map(formOf);
    if (!forms.includes('text')) return forms[0] ?? 'text';
    return forms.includes('json') ? 'text or json' : 'text';
  }
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'object' || type === 'array' ? 'json' : 'text';
}

async function assemble(
  parts: readonly Part[],
  fields: ReadonlyMap<string, Field>,
  plan: LiftPlan | undefined,
): Promise<Record<string, unknown>> {
  const [request, ...others] = parts.filter(({ name }) => name === REQUEST);
  if (others.length > 0) throw repeated(REQUEST);
  const value = request ? await readRequest(request, plan) : {};
  const inRequest = new Set(Object.keys(value));
  const files = new Map<string, FileValue[]>();
  for (const part of parts) {
    const { name } = part;
    if (name === REQUEST) continue;
    const field = fields.get(name);
    if (!field) throw unknown(name, fields);
    if (inRequest.has(name)) throw invalid(name, `is given both as a part and in the part "${REQUEST}"`);
    if (field.form === 'files') {
      const list = files.get(name) ?? [];
      list.push(readFile(part));
      files.set(name, list);
      value[name] = list;
      continue;
    }
    if (Object.hasOwn(value, name)) throw repeated(name);
    value[name] = await readPart(part, field);
  }
  return value;
}

async function readRequest(part: Part, plan: LiftPlan | undefined): Promise<Record<string, unknown>> {
  const value = await readJson(part, plan);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(REQUEST, 'must be a JSON object');
  return value as Record<string, unknown>;
}

async function readPart(part: Part, { form, plan, schema }: Field): Promise<unknown> {
  if (form === 'file') return readFile(part);
  if (form === 'json') return readJson(part, plan, `; it must be ${expectedValue(schema)}`);
  if (form === 'text or json' && OPENING.includes(part.content[0])) return readJson(part, plan);
  const text = await readText(part);
  if (form === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (form === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // The schema rejects a text that is not a number or a boolean.
  return text;
}

function readFile({ isFile, fileName, content }: Part): FileValue {
  if (isFile) return { raw: content, ...(fileName !== undefined && { fileName }) };
  return content.length > MAX_SHORT_BYTES ? content : content.toString('utf8');
}

async function readText({ name, content }: Part): Promise<string> {
  if (!isUtf8(content)) throw invalid(name, 'is not valid UTF-8');
  const text = await decodeText(content);
  return text.startsWith('\u{feff}') ? text.slice(1) : text;
}

/** Parses the JSON of a part. `expected` ends the message for malformed JSON. */
async function readJson(
  { name, content }: Part,
  plan: LiftPlan | undefined,
  expected = '',
): Promise<unknown> {
  if (!isUtf8(content)) throw invalid(name, 'is not valid UTF-8');
  try {
    return await parsePlanned(content, plan);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid(name, `${error.message.replace(/^the body /, '')}${expected}`);
  }
}

function repeated(name: string): AppError {
  return invalid(name, `${quote(name)} occurs more than once`);
}

function unknown(name: string, fields: ReadonlyMap<string, Field>): AppError {
  const known = [REQUEST, ...fields.keys()].join(', ');
  return invalid(shortened(name), `unknown part; valid parts are ${known}`);
}

/**
 * Describes the parts for the API documentation. Each group of fields with a file becomes a group of parts,
 * such as `MultipartPdfRequest`.
 */
function describeParts(schema: TSchema): TObject {
  const fields = readFields(schema);
  const parts = [...fields].map(([name, { form, schema: field }]): [string, TSchema] => {
    const { description = '' } = field;
    const file = Type.Unsafe({
      type: 'string',
      // Some client generators know only `format`, others only `contentMediaType`.
      format: 'binary',
      contentMediaType: 'application/octet-stream',
    });
    if (form === 'file') return [name, { ...file, ...partTitle(field), description }];
    return [name, form === 'files' ? Type.Array(file, { description }) : field];
  });
  const request = Type.Unsafe({
    type: 'object',
    title: 'RequestPart',
    description: 'Fields that are not sent as parts, as in a JSON request.',
  });
  const all = [...parts, [REQUEST, request] as const];
  const groups = findGroups(schema as TObject).groups.filter(({ properties }) =>
    Object.keys(properties).some((name) => fields.get(name)?.form === 'file'),
  );
  const grouped = groups.map((group) =>
    fieldGroup(`Multipart${group.title}`, describeParts(group).properties),
  );
  return Type.Object(
    Object.assign(Object.fromEntries(all.map(([name, part]) => [name, Type.Optional(part)])), ...grouped),
    { additionalProperties: false, ...partTitle(schema) },
  );
}

/** Returns the name of the multipart form of a schema that has a name. */
function partTitle({ title }: TSchema) {
  return title === undefined ? {} : { title: `Multipart${title}` };
}
