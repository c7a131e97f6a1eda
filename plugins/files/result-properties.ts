import {
  CountedText,
  fieldGroup,
  invalid,
  nullable,
  Type,
  withExtension,
  type Account,
  type Static,
} from '../../src/plugin.ts';
import { isTestWork } from './test-mark/test-work.ts';

export type StoredMediaType = Parameters<typeof withExtension>[1];

/**
 * The properties that callers give to a result: its file name, their reference, metadata, and how long it is
 * kept.
 */
export interface ResultProperties {
  /** Ends in the extension of the result's media type. */
  fileName: string | null;
  reference: string | null;
  /** Stored as pairs, because the keys that callers choose are not valid field names in every database. */
  metadata: readonly (readonly [key: string, value: string])[] | null;
  /** Epoch milliseconds; `null` means that the result is kept until it is deleted. */
  expiresAt: number | null;
  /** True if it was made for a test key. Absent from other results. */
  test?: true | null;
}

/** A result without properties. */
export const NO_PROPERTIES: ResultProperties = {
  fileName: null,
  reference: null,
  metadata: null,
  expiresAt: null,
};

const MAX_METADATA_KEYS = 20;
const MAX_KEY_CHARACTERS = 40;
const MAX_VALUE_CHARACTERS = 500;
const MIN_LIFETIME_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 31_536_000;
const DAY_MS = 24 * 60 * 60_000;
/** How long a result for a test key is kept at most. */
const MAX_TEST_LIFETIME_MS = DAY_MS;

/**
 * Slashes, control characters, and characters that change the direction of text, which can make a name look
 * like another.
 */
// oxlint-disable-next-line no-control-regex -- control characters are the subject
const FORBIDDEN_IN_NAMES = /[/\\\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const Metadata = Type.Record(Type.String(), Type.String(), {
  title: 'Metadata',
  expected: `an object of at most ${MAX_METADATA_KEYS} strings`,
  description: `Up to ${MAX_METADATA_KEYS} strings of up to ${MAX_VALUE_CHARACTERS} characters, under keys of up to ${MAX_KEY_CHARACTERS}.`,
});

/** The request fields of {@link ResultProperties}, for the schema of a body. */
export const resultFields = fieldGroup('ResultFields', {
  file_name: Type.Optional(
    CountedText({
      title: 'FileName',
      minLength: 1,
      maxLength: 200,
      expected: 'a file name of 1 to 200 characters',
      description:
        'The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed.',
    }),
  ),
  reference: Type.Optional(
    CountedText({
      title: 'Reference',
      minLength: 0,
      maxLength: 200,
      expected: 'a string of at most 200 characters',
      description: 'Your own identifier, such as an order number. Lists can be filtered by it.',
    }),
  ),
  metadata: Type.Optional(Metadata),
  expires_in: Type.Optional(
    Type.Integer({
      title: 'ExpiresIn',
      minimum: MIN_LIFETIME_SECONDS,
      maximum: MAX_LIFETIME_SECONDS,
      description:
        'The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies. With a test key, at most a day.',
    }),
  ),
});

const fields = Type.Object(resultFields);

/** The request fields of {@link ResultProperties}. */
export type ResultRequest = Static<typeof fields>;

/** The response fields of {@link ResultProperties}, for the schema of a response. */
export const resultResponseProperties = fieldGroup('ResultProperties', {
  file_name: nullable(Type.String()),
  reference: nullable(Type.String()),
  metadata: Metadata,
  expires_at: nullable(Type.String({ description: 'ISO 8601, UTC, milliseconds.' })),
  test: Type.Boolean({ description: 'Whether it was made with a test key.' }),
});

const answer = Type.Object(resultResponseProperties);

/** The schema of the query parameter that filters a list by reference. */
export const referenceFilter = {
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: 'Returns only results with this reference.' }),
  ),
};

/** The schema of the query parameter that filters a list by the mode of the key. */
export const testFilter = {
  test: Type.Optional(
    Type.Boolean({ description: 'true: only what was made with test keys; false: only the rest.' }),
  ),
};

/** Returns the condition of a list that is filtered by the mode of the key. */
export function ofMode(isTest: boolean | undefined): { test?: true | null } {
  return isTest === undefined ? {} : { test: isTest || null };
}

/**
 * Reads the properties that callers give to a result, such as its file name, from a request. A request with a
 * test key gets a lifetime of at most a day. `path` precedes
 * the names of fields in messages, such as `items[3].`. The file name gets the extension of `mediaType`; by
 * default the result is a PDF. A document that is not a PDF has the `documentType`, its extension.
 * @throws {AppError} VALIDATION_ERROR that names the field
 */
export type ReadProperties = (
  request: ResultRequest,
  account: Pick<Account, 'plan'>,
  options?: { path?: string; mediaType?: StoredMediaType; documentType?: string },
) => ResultProperties;

/** The part of the plans that applies to results. */
export type PlanRetention = Readonly<Record<Account['plan'], { readonly retentionDays: number | null }>>;

/** Creates the function that reads the properties of results, with the retention of the plans. */
export function createPropertiesReader(plans: PlanRetention): ReadProperties {
  return (
    { file_name: name, reference = '', metadata, expires_in: seconds },
    { plan },
    { path = '', mediaType = 'application/pdf', documentType } = {},
  ) => {
    const { retentionDays } = plans[plan];
    const wantedMs = seconds === undefined ? retentionDays && retentionDays * DAY_MS : seconds * 1000;
    const isTest = isTestWork();
    const lifetimeMs = isTest ? Math.min(wantedMs ?? Infinity, MAX_TEST_LIFETIME_MS) : wantedMs;
    const complete = (given: string) =>
      documentType === undefined
        ? withExtension(given, mediaType)
        : given.toLowerCase().endsWith(`.${documentType}`)
          ? given
          : `${given}.${documentType}`;
    if (reference.includes('\u0000')) throw invalid(`${path}reference`, 'must not contain U+0000');
    return {
      fileName: name === undefined ? null : complete(readFileName(name, path)),
      reference: reference === '' ? null : reference,
      metadata: metadata === undefined ? null : readMetadata(metadata, path),
      expiresAt: lifetimeMs === null ? null : Date.now() + lifetimeMs,
      ...(isTest && { test: true }),
    };
  };
}

/** Converts properties to the fields of a response. */
export function presentResultProperties(properties: Partial<ResultProperties>): Static<typeof answer> {
  const { fileName = null, reference = null, metadata, expiresAt = null, test } = properties;
  return {
    file_name: fileName,
    reference,
    metadata: Object.fromEntries(metadata ?? []),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    test: test === true,
  };
}

/** Returns the filters of which a result matches one until its lifetime ends, for `either`. */
export function unexpired(now = Date.now()): [{ expiresAt: null }, { expiresAt: { gt: number } }] {
  return [{ expiresAt: null }, { expiresAt: { gt: now } }];
}

/** Tells whether the lifetime of a result has ended. */
export function isExpired({ expiresAt }: Partial<ResultProperties>): boolean {
  return typeof expiresAt === 'number' && expiresAt <= Date.now();
}

function readFileName(name: string, path: string): string {
  const refuse = (message: string) => invalid(`${path}file_name`, message);
  if (FORBIDDEN_IN_NAMES.test(name))
    throw refuse('must not contain slashes, backslashes, control characters or characters that reverse text');
  if (name.startsWith('.')) throw refuse('must not begin with a dot');
  if (name.trim() === '') throw refuse('must not be blank');
  return name;
}

/**
 * Reads metadata. Also checks the type of each value, because the schema does not check a value whose key
 * contains a line break.
 */
function readMetadata(metadata: Record<string, unknown>, path: string): [string, string][] {
  const entries = Object.entries(metadata);
  if (entries.length > MAX_METADATA_KEYS)
    throw invalid(`${path}metadata`, `must have at most ${MAX_METADATA_KEYS} keys`);
  return entries.map(([key, value]) => {
    if (key === '' || key.length > MAX_KEY_CHARACTERS || !isStorable(key))
      throw invalid(`${path}metadata`, `must have keys of 1 to ${MAX_KEY_CHARACTERS} characters`);
    if (typeof value !== 'string' || value.length > MAX_VALUE_CHARACTERS || !isStorable(value))
      throw invalid(
        `${path}metadata.${key}`,
        `must be a string of at most ${MAX_VALUE_CHARACTERS} characters`,
      );
    return [key, value];
  });
}

/**
 * Tells whether every database can store a text. None stores an unpaired surrogate, and some reject U+0000.
 */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
