import { ApiError, type ErrorDetail } from '../data/api.ts';
import type { AcceptedBatch, Template } from '../data/types.ts';
import { upload } from '../data/upload.ts';
import { mergeFaults, type Fault, type Prepared } from './records/prepare.ts';
import { placeOf, type Format } from './records/source.ts';

/** The result of a batch: links to its documents, and also an archive or one PDF. */
export type BatchResult = 'links' | 'zip' | 'pdf';

/** How a batch is made. */
export interface BatchSettings {
  template: Template;
  /** The language of all documents, or an empty text for the default. */
  locale: string;
  result: BatchResult;
  /** A template of the names of the files, or an empty text. */
  fileName: string;
  onInvalid: 'reject' | 'skip';
  /** The URL that receives an event at the end, or an empty text. */
  webhook: string;
}

/** A batch that is ready to be sent. */
export interface Sending {
  prepared: Prepared;
  settings: BatchSettings;
  /** Identifies the batch, so that a repeated request does not make it twice. */
  key: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/** The id of a batch that was accepted, and the records that it leaves out. */
export interface Accepted {
  id: string;
  faults: Fault[];
}

/** The service refuses the data because of invalid records. */
export class InvalidRecordsError extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    super('The service found invalid records.');
    this.faults = faults;
  }
}

/**
 * Sends the data of a batch.
 * @throws {InvalidRecordsError} when the service finds invalid records, which the settings reject
 * @throws {ApiError} for another error response or a failed connection
 */
export async function sendBatch({ prepared, settings, key, signal, onProgress }: Sending): Promise<Accepted> {
  const { template, locale, result, fileName, onInvalid, webhook } = settings;
  const form = new FormData();
  form.set('template', template.id);
  if (template.options) form.set('options', JSON.stringify(template.options));
  if (locale !== '') form.set('locale', locale);
  form.set('result', result);
  if (fileName.trim() !== '') form.set('file_name', fileName.trim());
  form.set('on_invalid', onInvalid);
  if (webhook.trim() !== '') form.set('webhook', webhook.trim());
  form.set('file', prepared.body, 'data.ndjson');
  try {
    const options = { signal, onProgress, headers: { 'idempotency-key': key } };
    const response = await upload('/v1/batches', form, options);
    const accepted = (await response.json()) as AcceptedBatch;
    return { id: accepted.batch_id, faults: mergeFaults(prepared, accepted.invalid_lines) };
  } catch (error) {
    const lines = error instanceof ApiError ? linesOf(error.details) : [];
    throw lines.length > 0 ? new InvalidRecordsError(mergeFaults(prepared, lines)) : error;
  }
}

/** Returns the details of an error that name lines of the body. */
function linesOf(details: readonly ErrorDetail[]): { line: number; message: string }[] {
  return details.flatMap(({ path, message }) => {
    const [, line] = /^line (\d+)$/.exec(path) ?? [];
    return line === undefined ? [] : [{ line: Number(line), message }];
  });
}

/** Describes an invalid record, such as "Line 3 has 2 values, but the table has 3 columns." */
export function sentenceOf(format: Format, { place, message }: Fault): string {
  return `${placeOf(format, place)} ${message}.`;
}
