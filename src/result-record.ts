import { Type, type Static } from '@sinclair/typebox';
import type { Account } from './accounts/accounts.ts';
import type { Plan, PlanName } from './accounts/plans.ts';
import { invalid } from './errors.ts';
import { withExtension, type StoredMediaType } from './files/media-type.ts';
import { CountedText } from './http/counted-text.ts';
import { nullable } from './http/nullable.ts';

/** The properties that callers give to a result: its file name, their reference, metadata, and how long it is kept. */
export interface ResultProperties {
  /** Ends in the extension of the result's media type. */
  fileName: string | null;
  reference: string | null;
  /** Stored as pairs, because the keys that callers choose are not valid field names in every database. */
  metadata: readonly (readonly [key: string, value: string])[] | null;
  /** Epoch milliseconds; `null` means that the result is kept until it is deleted. */
  expiresAt: number | null;
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

/** Slashes, control characters, and characters that change the direction of text, which can make a name look like another. */
// oxlint-disable-next-line no-control-regex -- control characters are the subject
const FORBIDDEN_IN_NAMES = /[/\\\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The request fields of {@link ResultProperties}, for the schema of a body. */
export const resultFields = {
  file_name: Type.Optional(
    CountedText({
      minLength: 1,
      maxLength: 200,
      expected: 'a file name of 1 to 200 characters',
      description:
        'The name of the file for downloads. `.pdf` is added if it is missing. Slashes, control characters and a leading dot are not allowed.',
    }),
  ),
  reference: Type.Optional(
    CountedText({
      minLength: 0,
      maxLength: 200,
      expected: 'a string of at most 200 characters',
      description: 'Your own identifier, such as an order number. Lists can be filtered by it.',
    }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      expected: `an object of at most ${MAX_METADATA_KEYS} strings`,
      description: `Up to ${MAX_METADATA_KEYS} strings of up to ${MAX_VALUE_CHARACTERS} characters, under keys of up to ${MAX_KEY_CHARACTERS}.`,
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: MIN_LIFETIME_SECONDS,
      maximum: MAX_LIFETIME_SECONDS,
      description:
        'The number of seconds after which the result, its receipt and its file are deleted. By default, the retention of the plan applies.',
    }),
  ),
};

const fields = Type.Object(resultFields);

/** The request fields of {@link ResultProperties}. */
export type ResultRequest = Static<typeof fields>;

/** The response fields of {@link ResultProperties}, for the schema of a response. */
export const resultAnswerProperties = {
  file_name: nullable(Type.String()),
  reference: nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  expires_at: nullable(Type.String({ description: 'ISO 8601, UTC, milliseconds.' })),
};

const answer = Type.Object(resultAnswerProperties);

/** The schema of the query parameter that filters a list by reference. */
export const referenceFilter = {
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: 'Returns only results with this reference.' }),
  ),
};

/** Reads the properties of results from requests. */
export interface ResultPropertiesReader {
  /**
   * Validates the fields of a request and converts them. `path` precedes the names of fields in messages, such as `items[3].`. The file
   * name gets the extension of `mediaType`; by default the result is a PDF.
   * @throws {AppError} VALIDATION_ERROR that names the field
   */
  read(
    request: ResultRequest,
    account: Pick<Account, 'plan'>,
    options?: { path?: string; mediaType?: StoredMediaType },
  ): ResultProperties;
}

/** Creates a reader that applies the retention of the plans. */
export function createResultPropertiesReader(
  plans: Readonly<Record<PlanName, Pick<Plan, 'retentionDays'>>>,
): ResultPropertiesReader {
  return {
    read(
      { file_name: name, reference = '', metadata, expires_in: seconds },
      { plan },
      { path = '', mediaType = 'application/pdf' } = {},
    ) {
      const { retentionDays } = plans[plan];
      const lifetimeMs = seconds === undefined ? retentionDays && retentionDays * DAY_MS : seconds * 1000;
      if (reference.includes('\u0000')) throw invalid(`${path}reference`, 'must not contain U+0000');
      return {
        fileName: name === undefined ? null : withExtension(readFileName(name, path), mediaType),
        reference: reference === '' ? null : reference,
        metadata: metadata === undefined ? null : readMetadata(metadata, path),
        expiresAt: lifetimeMs === null ? null : Date.now() + lifetimeMs,
      };
    },
  };
}

/** Converts properties to the fields of a response. */
export function presentResultProperties(properties: Partial<ResultProperties>): Static<typeof answer> {
  const { fileName = null, reference = null, metadata, expiresAt = null } = properties;
  return {
    file_name: fileName,
    reference,
    metadata: Object.fromEntries(metadata ?? []),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
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

/** Reads metadata. Also checks the type of each value, because the schema does not check a value whose key contains a line break. */
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

/** Tells whether every database can store a text. None stores an unpaired surrogate, and some reject U+0000. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
