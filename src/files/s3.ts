import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from 'bun';
import {
  checkFileId,
  FileNotFoundError,
  FilesUnavailableError,
  isFileId,
  type FilesUnavailableReason,
  type FileStore,
} from './files.ts';

/** Where a bucket is and how it is opened. */
export interface S3Settings {
  /** Scheme, host and port; the bucket becomes the first part of the path. */
  endpoint: string;
  /** The endpoint as callers reach it, for links. Signatures cover the host, so it cannot be put in afterwards. Default: `endpoint`. */
  publicEndpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Leads every key: several services can share a bucket. Default: none. */
  prefix?: string;
}

/** The longest that a presigned URL may hold by Signature Version 4: `X-Amz-Expires` is at most 604,800 s. */
const longestLinkSeconds = 7 * 24 * 60 * 60;
const answerDeadlineMs = 4500;
const patienceMs = 2000;
const probeDeadlineMs = 2500;
const partSizeBytes = 5 * 1024 * 1024;
// Bounds the memory of a put to a few parts; more of them make one put faster only on a long way to the server.
const partsAtOnce = 3;

/** What S3's error codes say of the settings. Every other code, and every failure of a connection, is `unreachable`. */
const reasons: Readonly<Record<string, FilesUnavailableReason>> = {
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  PermanentRedirect: 'bucket',
  InvalidAccessKeyId: 'credentials',
  // What versitygw calls it.
  XAdminUserNotFound: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  RequestTimeTooSkewed: 'credentials',
  ExpiredToken: 'credentials',
  InvalidToken: 'credentials',
  AccessDenied: 'permission',
  AllAccessDisabled: 'permission',
  AuthorizationHeaderMalformed: 'region',
};

/**
 * Creates a file store in a bucket of S3 or of a server that speaks its protocol (path-style addresses). Nothing is connected yet.
 * The key needs `GetObject`, `PutObject`, `DeleteObject` and `AbortMultipartUpload` on the prefix and `ListBucket` on the bucket:
 * without the last, S3 answers a missing object as a forbidden one.
 */
export function createS3Files(settings: S3Settings): FileStore {
  const { endpoint, publicEndpoint = endpoint, bucket, prefix = '' } = settings;
  const { region, accessKeyId, secretAccessKey } = settings;
  const account = { bucket, region, accessKeyId, secretAccessKey };
  const client = new S3Client({ ...account, endpoint, partSize: partSizeBytes, queueSize: partsAtOnce });
  const publicClient = new S3Client({ ...account, endpoint: publicEndpoint });
  const keyOf = (id: string) => prefix + id;
  const absentKey = keyOf('-');

  /** Turns an error of the S3 client into the port's; what a source of a put threw stays as it is. */
  function explain(error: unknown): unknown {
    const code = codeOf(error);
    if (code === undefined) return error;
    const reason = reasons[code] ?? 'unreachable';
    const messages: Record<FilesUnavailableReason, string> = {
      unreachable: `${endpoint} cannot be used (${code})`,
      bucket: `there is no bucket ${bucket} at ${endpoint} (${code})`,
      credentials: `${endpoint} does not accept the access key and its secret (${code})`,
      permission: `the access key may not read, write and delete in the bucket ${bucket} (${code})`,
      region: `the bucket ${bucket} is not in the region ${region} (${code})`,
    };
    return new FilesUnavailableError(reason, messages[reason], { cause: error });
  }

  function silent(): FilesUnavailableError {
    return new FilesUnavailableError('unreachable', `${endpoint} does not answer`);
  }

  /** Waits for a short answer. The S3 client itself waits for minutes. */
  async function promptly<T>(work: Promise<T>, deadlineMs = answerDeadlineMs): Promise<T> {
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(silent()), deadlineMs);
    try {
      return await Promise.race([work, deadline]);
    } catch (error) {
      throw explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for a transfer as long as the server is there: that it takes long is no fault, that nobody answers any more is. */
  async function whileAnswering<T>(transfer: Promise<T>): Promise<T> {
    const over = new AbortController();
    const watch = async (): Promise<never> => {
      for (;;) {
        // Throws when the transfer is over, and nobody listens any more.
        await sleep(patienceMs, undefined, { signal: over.signal });
        // Only silence counts: any answer is one, and a connection that breaks fails the transfer itself.
        await promptly(
          client.exists(absentKey).catch(() => false),
          probeDeadlineMs,
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

  /** Streams an object. Nothing is asked for before the first read, so a stream that is never read holds no connection. */
  function readWhole(key: string, sizeBytes: number): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    let received = 0;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          reader ??= client.file(key).stream().getReader();
          const { done, value } = await whileAnswering(reader.read());
          received += value?.byteLength ?? 0;
          if (value) controller.enqueue(value);
          if (!done) return;
          // A server that goes away may look like the end of the file.
          if (received !== sizeBytes) throw brokenOff(received, sizeBytes);
          controller.close();
        },
        cancel: (reason) => reader?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  function brokenOff(received: number, sizeBytes: number): FilesUnavailableError {
    return new FilesUnavailableError(
      'unreachable',
      `${endpoint} gave ${received} of the ${sizeBytes} bytes of a file`,
    );
  }

  return {
    async put(id, content) {
      checkFileId(id);
      // A stream goes up in parts, which become an object at its end only; when it fails, Bun aborts the upload. Not `writer()`:
      // ending that with an error completes the object with what was written (https://github.com/oven-sh/bun/pull/43134).
      const source = content instanceof Uint8Array ? undefined : leavable(content);
      const body = source ? new Response(source.stream) : (content as Uint8Array<ArrayBuffer>);
      try {
        return await whileAnswering(client.write(keyOf(id), body, { type: 'application/pdf' }));
      } catch (error) {
        // Of an upload that was given up: nothing more is read, and Bun aborts it when the server answers again.
        source?.leave(error);
        throw error;
      }
    },
    async get(id) {
      if (!isFileId(id)) throw new FileNotFoundError(id);
      const { size } = await promptly(client.stat(keyOf(id))).catch((error: unknown) => {
        throw isMissing(error) ? new FileNotFoundError(id) : error;
      });
      return { stream: readWhole(keyOf(id), size), sizeBytes: size };
    },
    async delete(id) {
      if (!isFileId(id)) return;
      await promptly(client.delete(keyOf(id))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    async link(id, { expiresAt }) {
      checkFileId(id);
      const seconds = Math.floor((expiresAt - Date.now()) / 1000);
      return publicClient.presign(keyOf(id), {
        method: 'GET',
        expiresIn: Math.min(Math.max(seconds, 1), longestLinkSeconds),
        type: 'application/pdf',
        contentDisposition: `inline; filename="${id}.pdf"`,
      });
    },
    async ping() {
      // Only a write tells that writing is allowed. The key is new each time, as replicas ping at once; `-` is in no file's id.
      const key = keyOf(`ping-${crypto.randomUUID()}`);
      await promptly(
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

/** Passes a stream on until `leave` breaks it off: the reader gets the reason as an error, the source is cancelled. */
function leavable(source: ReadableStream<Uint8Array>): {
  stream: ReadableStream<Uint8Array>;
  leave: (reason: unknown) => void;
} {
  const reader = source.getReader();
  let left: { reason: unknown } | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        // The end that a cancelled source comes to must not pass for the end of the file.
        if (left) throw left.reason;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    leave(reason) {
      left = { reason };
      // A source that failed by itself fails its cancellation too.
      reader.cancel(reason).catch(() => {});
    },
  };
}

/** The S3 client's code of an error, or `undefined` for an error that is not its own. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'S3Error') return undefined;
  return 'code' in error ? String(error.code) : 'UnknownError';
}

function isMissing(error: unknown): boolean {
  return error instanceof FilesUnavailableError && codeOf(error.cause) === 'NoSuchKey';
}
