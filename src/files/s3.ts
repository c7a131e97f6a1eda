import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from 'bun';
import { withTimeout } from '@platen/runtime';
import { contentDisposition } from './content-disposition.ts';
import {
  checkFileId,
  FileNotFoundError,
  FilesUnavailableError,
  isFileId,
  type FilesUnavailableReason,
  type FileStore,
} from './files.ts';
import { fileTypeOf } from './media-type.ts';
import { createPresigner } from './presign.ts';
import type { S3Settings } from './s3-settings.ts';

/** The longest lifetime of a presigned URL: Signature Version 4 limits `X-Amz-Expires` to 604,800 s. */
const MAX_LINK_SECONDS = 7 * 24 * 60 * 60;
const RESPONSE_TIMEOUT_MS = 4500;
const PROBE_INTERVAL_MS = 2000;
const PROBE_TIMEOUT_MS = 2500;
const PART_SIZE_BYTES = 5 * 1024 * 1024;
// Bounds the memory of a put. More concurrent parts speed it up only when the latency to the server is high.
const CONCURRENT_PARTS = 3;

/** The reasons why a bucket is unavailable. */
type S3Fault = Exclude<FilesUnavailableReason, 'read-only' | 'disk'>;

const SETTINGS_BY_REASON: Readonly<Record<S3Fault, string>> = {
  unreachable: 'S3_ENDPOINT',
  bucket: 'S3_BUCKET',
  credentials: 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
  permission: 'S3_BUCKET',
  region: 'S3_REGION',
  full: 'S3_BUCKET',
};

/** Returns the environment variables that are the likely cause of an unavailable bucket. */
export function settingsAtFault(reason: FilesUnavailableReason): string {
  return reason in SETTINGS_BY_REASON ? SETTINGS_BY_REASON[reason as S3Fault] : 'S3_BUCKET';
}

/** The reasons behind S3 error codes. All other codes and all connection failures mean `unreachable`. */
const REASON_BY_CODE: Readonly<Record<string, S3Fault>> = {
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  PermanentRedirect: 'bucket',
  InvalidAccessKeyId: 'credentials',
  // The code of versitygw.
  XAdminUserNotFound: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  RequestTimeTooSkewed: 'credentials',
  ExpiredToken: 'credentials',
  InvalidToken: 'credentials',
  XMinioStorageFull: 'full',
  XMinioAdminBucketQuotaExceeded: 'full',
  QuotaExceeded: 'full',
  InsufficientStorage: 'full',
  AccessDenied: 'permission',
  AllAccessDisabled: 'permission',
  AuthorizationHeaderMalformed: 'region',
};

/**
 * Creates a file store in a bucket of S3 or of a compatible server (path-style addresses). Does not connect
 * yet. The access key needs `GetObject`, `PutObject`, `DeleteObject` and `AbortMultipartUpload` on the prefix
 * and `ListBucket` on the bucket: without `ListBucket`, S3 answers 403 instead of 404 for a missing object.
 */
export function createS3Files(settings: S3Settings): FileStore {
  const { endpoint, publicEndpoint = endpoint, bucket, prefix = '' } = settings;
  const { region, accessKeyId, secretAccessKey } = settings;
  const account = { bucket, region, accessKeyId, secretAccessKey };
  const client = new S3Client({
    ...account,
    endpoint,
    partSize: PART_SIZE_BYTES,
    queueSize: CONCURRENT_PARTS,
  });
  const presign = createPresigner({ ...settings, endpoint: publicEndpoint });
  const keyOf = (id: string) => prefix + id;
  const absentKey = keyOf('-');

  /**
   * Converts an error of the S3 client to a FilesUnavailableError. Other errors, such as those of the source
   * of a put, stay as they are.
   */
  function explain(error: unknown): unknown {
    const code = codeOf(error);
    if (code === undefined) return error;
    const reason = REASON_BY_CODE[code] ?? 'unreachable';
    const messages: Record<S3Fault, string> = {
      unreachable: `${endpoint} is unavailable (${code})`,
      bucket: `the bucket ${bucket} does not exist at ${endpoint} (${code})`,
      credentials: `${endpoint} rejects the access key or its secret (${code})`,
      permission: `the access key does not have permission to read, write or delete in the bucket ${bucket} (${code})`,
      region: `the bucket ${bucket} is not in the region ${region} (${code})`,
      full: `${endpoint} has no room for further files (${code})`,
    };
    return new FilesUnavailableError(reason, messages[reason], { cause: error });
  }

  function noResponse(): FilesUnavailableError {
    return new FilesUnavailableError('unreachable', `${endpoint} does not answer`);
  }

  /** Awaits a short operation with a deadline. The S3 client itself waits for minutes. */
  async function withDeadline<T>(work: Promise<T>, timeoutMs = RESPONSE_TIMEOUT_MS): Promise<T> {
    const onTimeout = () => {
      throw noResponse();
    };
    try {
      return await withTimeout(work, { limitMs: timeoutMs, onTimeout });
    } catch (error) {
      throw explain(error);
    }
  }

  /**
   * Awaits a transfer for as long as the server answers probes. A slow transfer is fine; a server that stops
   * answering is not.
   */
  async function whileAnswering<T>(transfer: Promise<T>): Promise<T> {
    const over = new AbortController();
    const watch = async (): Promise<never> => {
      for (;;) {
        // Throws when the transfer has ended; the rejection is then ignored.
        await sleep(PROBE_INTERVAL_MS, undefined, { signal: over.signal });
        // Only a missing answer counts. Error responses are answers, and a broken connection fails the
        // transfer itself.
        await withDeadline(
          client.exists(absentKey).catch(() => false),
          PROBE_TIMEOUT_MS,
        );
      }
    };
    try {
      return await Promise.race([transfer, watch()]);
    } catch (error) {
      throw explain(error);
    } finally {
      over.abort();
    }
  }

  /**
   * Streams an object. The request is sent at the first read, so a stream that is never read holds no
   * connection.
   */
  function readWhole(key: string, sizeBytes: number): ReadableStream<Uint8Array> {
    const openReader = () => client.file(key).stream().getReader();
    let reader: ReturnType<typeof openReader> | undefined;
    let received = 0;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          reader ??= openReader();
          const { done, value } = await whileAnswering(reader.read());
          received += value?.byteLength ?? 0;
          if (value) controller.enqueue(value);
          if (!done) return;
          // A lost connection may look like the end of the file.
          if (received !== sizeBytes) throw truncated(received, sizeBytes);
          controller.close();
        },
        cancel: (reason) => reader?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  function truncated(received: number, sizeBytes: number): FilesUnavailableError {
    return new FilesUnavailableError(
      'unreachable',
      `${endpoint} sent only ${received} of ${sizeBytes} bytes of a file`,
    );
  }

  return {
    async put(id, content, ready) {
      checkFileId(id);
      await ready;
      // A stream is uploaded in parts, which become an object only at the end; Bun aborts the upload if the
      // stream fails. `writer()` is no alternative: ending it with an error completes the object with the
      // bytes so far (https://github.com/oven-sh/bun/pull/43134).
      const source = content instanceof Uint8Array ? undefined : abortable(content);
      const body = source ? new Response(source.stream) : (content as Uint8Array<ArrayBuffer>);
      try {
        return await whileAnswering(client.write(keyOf(id), body, { type: fileTypeOf(id).mediaType }));
      } catch (error) {
        // Stops reading the source; Bun aborts the upload when the server answers again.
        source?.abort(error);
        throw error;
      }
    },
    async get(id) {
      if (!isFileId(id)) throw new FileNotFoundError(id);
      const { size } = await withDeadline(client.stat(keyOf(id))).catch((error: unknown) => {
        throw isMissing(error) ? new FileNotFoundError(id) : error;
      });
      return { stream: readWhole(keyOf(id), size), sizeBytes: size };
    },
    async delete(id) {
      if (!isFileId(id)) return;
      await withDeadline(client.delete(keyOf(id))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    async link(id, { expiresAt, fileName }) {
      checkFileId(id);
      const { mediaType, extension } = fileTypeOf(id);
      const seconds = Math.floor((expiresAt - Date.now()) / 1000);
      return presign(keyOf(id), {
        'X-Amz-Expires': String(Math.min(Math.max(seconds, 1), MAX_LINK_SECONDS)),
        'response-content-type': mediaType,
        'response-content-disposition': contentDisposition(fileName ?? `${id}.${extension}`),
      });
    },
    async *list() {
      let startAfter: string | undefined;
      do {
        const found = await withDeadline(client.list({ prefix, ...(startAfter && { startAfter }) }));
        const objects = found.contents ?? [];
        yield objects
          .map(({ key, size, lastModified }) => ({
            id: key.slice(prefix.length),
            sizeBytes: size ?? 0,
            // An object without a date must not count as old.
            modifiedAt: lastModified === undefined ? Infinity : Date.parse(lastModified),
          }))
          .filter(({ id }) => isFileId(id));
        startAfter = found.isTruncated === true ? objects.at(-1)?.key : undefined;
      } while (startAfter !== undefined);
    },
    async ping() {
      // Only a write shows that writing is allowed. The key is unique because replicas may ping concurrently;
      // no file id contains `-`.
      const key = keyOf(`ping-${crypto.randomUUID()}`);
      await withDeadline(
        (async () => {
          await client.write(key, new Uint8Array([1]));
          try {
            await client.file(key).bytes();
          } finally {
            await client.delete(key);
          }
        })(),
      );
    },
  };
}

/** Wraps a stream so that `abort` cancels the source, and the reader fails with the given reason. */
function abortable(source: ReadableStream<Uint8Array>): {
  stream: ReadableStream<Uint8Array>;
  abort: (reason: unknown) => void;
} {
  const reader = source.getReader();
  let aborted: { reason: unknown } | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        // The end of a cancelled source must not look like the end of the file.
        if (aborted) throw aborted.reason;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    abort(reason) {
      aborted = { reason };
      // Cancelling a source that has failed throws its error again.
      reader.cancel(reason).catch(() => {});
    },
  };
}

/** Returns the code of an S3 client error; `undefined` for other errors. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'S3Error') return undefined;
  return 'code' in error ? String(error.code) : 'UnknownError';
}

function isMissing(error: unknown): boolean {
  return error instanceof FilesUnavailableError && codeOf(error.cause) === 'NoSuchKey';
}
