import { readFile } from 'node:fs/promises';
import {
  AppError,
  ConfigError,
  FairQueue,
  messageOf,
  notFound,
  Type,
  workContext,
  type EgressGuard,
  type Log,
  type PluginContext,
  type Static,
  type TaskClient,
} from '../../../src/plugin.ts';
import { requireValidity } from '../certificates/service.ts';
import { fetchBounded, FetchFault } from '../trust/bounded-fetch.ts';
import type { FindSigner, Signer } from './signer.ts';

/** The prefix of the names of external signers in requests. */
export const SIGNER_PREFIX = 'signer:';
const TIMEOUT_MS = 20_000;
const MAX_SIGNATURE_BYTES = 10_000;
const RETRY_AFTER_SECONDS = 30;
/** The maximum number of signatures that are requested at once from one external signer. */
const CONCURRENCY = 4;

export const ExternalSignerConfig = Type.Object(
  {
    certificates: Type.String({
      minLength: 1,
      description:
        'The certificate of the signer and the certificates of its issuers: PEM text, or the path of a PEM file.',
    }),
    accounts: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'The email addresses of the accounts that may use the signer.',
    }),
    command: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          'A program with its arguments. It reads the data to sign from standard input, and writes the signature to standard output. It gets no environment variables, so its path must be absolute.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: String.raw`^https?://[^/@?#\s]+(/[^\s]*)?$`,
        description:
          'The URL of a signing service. It receives the data to sign in a POST request as application/octet-stream, and responds with the signature. Its address may be private.',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Headers for `url`, such as Authorization.',
      }),
    ),
  },
  { additionalProperties: false },
);

type Settings = Static<typeof ExternalSignerConfig>;

/** The parts of the service that external signers use. */
interface ExternalParts {
  accounts: PluginContext<unknown, object, never, never>['accounts'];
  openEgress: (allow: readonly string[]) => Promise<EgressGuard>;
  tasks: TaskClient<typeof import('./task.ts')>;
  log: Log;
}

interface ExternalSigner extends Signer {
  accounts: ReadonlySet<string>;
  notBefore: number;
  notAfter: number;
}

/**
 * Opens the signers whose keys the operator keeps elsewhere, such as in a key management service or a
 * hardware module.
 * @throws {ConfigError} for a setting that is not valid
 */
export async function openExternalSigners(
  settings: Readonly<Record<string, Settings>>,
  parts: ExternalParts,
): Promise<FindSigner> {
  const signers = new Map<string, ExternalSigner>();
  for (const [name, signerSettings] of Object.entries(settings)) {
    const signer = await openSigner(name, signerSettings, parts);
    // Each signer has a queue, so that a signer that does not respond does not delay others.
    const queue = new FairQueue({
      concurrency: CONCURRENCY,
      queueLimit: 100,
      maxWaitMs: 30_000,
      busyMessage: 'too many signatures are waiting for a signer',
    });
    const share = () => {
      const context = workContext.getStore();
      return {
        account: context?.account ?? '',
        urgency: context?.urgency ?? 'batch',
        signal: context?.signal,
      } as const;
    };
    signers.set(name, { ...signer, sign: (data) => queue.run(share(), () => signer.sign(data)) });
  }
  return async (accountId, given) => {
    const signer = signers.get(given.slice(SIGNER_PREFIX.length));
    const account = await parts.accounts.get(accountId);
    if (!signer || !account || !signer.accounts.has(account.email)) throw notFound('certificate');
    requireValidity(signer, 'certificate');
    return signer;
  };
}

async function openSigner(
  name: string,
  { certificates, accounts, command, url, headers = {} }: Settings,
  { openEgress, tasks, log }: ExternalParts,
): Promise<ExternalSigner> {
  const path = `plugins.pdf-tools.signers.${name}`;
  const pem = certificates.includes('-----BEGIN')
    ? certificates
    : await readFile(certificates, 'utf8').catch((error: unknown) => {
        throw new ConfigError(`${path}.certificates: cannot be read: ${messageOf(error)}`);
      });
  const described = await tasks.describeSigner({ pem });
  if (!described.ok) throw new ConfigError(`${path}.certificates: ${described.message}`);
  if ((command === undefined) === (url === undefined))
    throw new ConfigError(`${path}: needs either command or url`);
  const sign = command
    ? (data: Uint8Array) => runCommand(command, data)
    : await openHttpSigner(url ?? '', { headers, openEgress });
  return {
    ...described.value,
    accounts: new Set(accounts),
    async sign(data) {
      try {
        return await sign(data);
      } catch (cause) {
        log.error({ signer: name, err: cause }, 'a signer failed');
        throw new AppError('UNAVAILABLE', `the signer ${name} gave no signature`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause,
        });
      }
    },
  };
}

async function openHttpSigner(
  url: string,
  {
    headers,
    openEgress,
  }: { headers: Readonly<Record<string, string>>; openEgress: ExternalParts['openEgress'] },
): Promise<(data: Uint8Array) => Promise<Uint8Array>> {
  const { hostname, port, protocol } = new URL(url);
  const egress = await openEgress([`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]);
  return (data) =>
    fetchBounded(egress, {
      url,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_SIGNATURE_BYTES,
      post: { type: 'application/octet-stream', body: data },
      headers: { ...headers },
    });
}

/** Runs a program with the data as its input, and returns its output. @throws {Error} if it fails */
async function runCommand(command: readonly string[], data: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn([...command], {
    stdin: data,
    stdout: 'pipe',
    stderr: 'ignore',
    env: {},
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    // A process group, because a program that it started can hold the pipe open.
    detached: true,
  });
  const ended = child.exited.finally(() => killGroup(child.pid));
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of child.stdout) {
      size += part.length;
      if (size > MAX_SIGNATURE_BYTES) throw new FetchFault(`wrote more than ${MAX_SIGNATURE_BYTES} bytes`);
      parts.push(part);
    }
  } finally {
    if (size > MAX_SIGNATURE_BYTES) killGroup(child.pid);
  }
  const status = await ended;
  if (status !== 0) throw new Error(`the program ended with status ${status}`);
  return Buffer.concat(parts, size);
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
