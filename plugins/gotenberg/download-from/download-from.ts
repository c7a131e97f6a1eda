import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, messageOf } from '../../../src/plugin.ts';
import { baseName, type Form } from '../form/form.ts';
import { callersHeaders, isWorthRetrying, waitBefore } from '../outbound/headers.ts';
import { isWeb, OutboundError, type Outbound } from '../outbound/outbound.ts';
import type { Settings } from '../settings.ts';
import { readFileName } from './content-disposition.ts';
import { readEntries, type DownloadEntry } from './entries.ts';

/** What the download of a form's files needs. */
export interface DownloadContext {
  outbound: Outbound;
  settings: Pick<Settings['downloadFrom'], 'allow' | 'deny' | 'variable' | 'isOff' | 'maxRetries'> & {
    traceHeader: string;
    /** The limit for all files of the form together. */
    limitBytes: number;
  };
  trace: string;
  signal: AbortSignal;
  reserveMemory: (bytes: number) => void;
}

const CONCURRENCY = 6;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const MAX_SHOWN_CHARACTERS = 500;

/**
 * Downloads the files that the field `downloadFrom` names, and adds them to the form. A file of the form with
 * the same name has precedence; of two downloads with the same name, the last one counts.
 * @throws {AppError} with Gotenberg's text for a file that cannot be downloaded
 */
export async function downloadFiles(form: Form, context: DownloadContext): Promise<void> {
  const text = form.value('downloadFrom');
  if (text === '' || context.settings.isOff) return;
  const entries = readEntries(text);
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const left = { bytes: context.settings.limitBytes - form.sizeBytes };
  const pending = [...entries.entries()];
  const files: { field: string; name: string; content: Uint8Array }[] = [];
  const work = async () => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      const [index, entry] = next;
      files[index] = { field: entry.field, ...(await download(entry, index, { ...context, signal, left })) };
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    stop.abort();
  }
  const added = files.filter(({ field, name }) => !form.hasFile(field, name));
  for (const { field, name, content } of added) form.addFile(field, name, content);
}

interface Running extends DownloadContext {
  /** The bytes that all downloads together may still have. */
  left: { bytes: number };
}

async function download(
  entry: DownloadEntry,
  index: number,
  running: Running,
): Promise<{ name: string; content: Uint8Array }> {
  if (entry.url.trim() === '')
    throw invalid(`Invalid 'downloadFrom' form field entry ${index}: URL must be set`);
  const shown = entry.url.slice(0, MAX_SHOWN_CHARACTERS);
  const url = URL.parse(entry.url);
  if (!url || !isWeb(url))
    throw invalid(`Unable to download file from '${shown}': it must be an http or https URL`);
  const response = await fetchWithRetries(url, shown, entry, running);
  const name = nameOf(response.headers.get('content-disposition') ?? '', shown);
  return { name, content: await readContent(response, shown, running) };
}

async function fetchWithRetries(
  url: URL,
  shown: string,
  { extraHttpHeaders }: DownloadEntry,
  { outbound, settings, trace, signal }: Running,
): Promise<Response> {
  const headers = readHeaders(extraHttpHeaders, shown);
  headers.set(settings.traceHeader, trace);
  for (let attempt = 1; ; attempt += 1) {
    const response = await outbound
      .fetch({ url, method: 'GET', headers, patterns: settings, signal })
      .catch((error: unknown) => {
        if (error instanceof OutboundError) return error;
        throw error;
      });
    if (response instanceof Response && !isWorthRetrying(response.status)) {
      if (response.status === 200) return response;
      await response.body?.cancel();
      const { status, statusText } = response;
      throw invalid(
        `Unable to download file from '${shown}': got status: '${`${status} ${statusText}`.trim()}'`,
      );
    }
    const retryAfter = response instanceof Response ? response.headers.get('retry-after') : null;
    if (response instanceof Response) await response.body?.cancel();
    if (attempt > settings.maxRetries) {
      const reason = response instanceof Response ? '' : `: ${response.message}`;
      throw invalid(
        `Unable to download file from '${shown}': GET ${shown} giving up after ${attempt} attempt(s)${reason}`,
      );
    }
    await sleep(waitBefore(attempt, { minMs: MIN_WAIT_MS, maxMs: MAX_WAIT_MS, retryAfter }), undefined, {
      signal,
    });
  }
}

function readHeaders(given: Readonly<Record<string, string>>, shown: string): Headers {
  try {
    return callersHeaders(given);
  } catch {
    throw invalid(`Unable to download file from '${shown}': invalid header field in 'extraHttpHeaders'`);
  }
}

function nameOf(header: string, shown: string): string {
  if (header === '') throw invalid(`No 'Content-Disposition' header from '${shown}'`);
  const invalidHeader = (reason: string) =>
    invalid(
      `Invalid 'Content-Disposition' header '${header.slice(0, MAX_SHOWN_CHARACTERS)}' from '${shown}': ${reason}`,
    );
  let name: string | undefined;
  try {
    name = readFileName(header);
  } catch (error) {
    throw invalidHeader(messageOf(error));
  }
  if (name === undefined || baseName(name) === '') throw invalidHeader('no filename');
  return name;
}

async function readContent(response: Response, shown: string, running: Running): Promise<Uint8Array> {
  const { left, signal, settings, reserveMemory } = running;
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > left.bytes) throw tooLarge(settings.limitBytes);
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw invalid(`Unable to download file from '${shown}': the connection failed`);
    });
    if (!chunk || chunk.done) break;
    left.bytes -= chunk.value.byteLength;
    if (left.bytes < 0) {
      await reader?.cancel().catch(() => undefined);
      throw tooLarge(settings.limitBytes);
    }
    reserveMemory(chunk.value.byteLength);
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}

function tooLarge(limitBytes: number): AppError {
  const message = `the form and its files are larger than the limit of ${limitBytes} bytes`;
  return new AppError('VALIDATION_ERROR', message, { isTooLarge: true });
}
