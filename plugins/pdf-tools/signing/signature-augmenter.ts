import type { RemoteResponse } from '@platen/signatures';
import { AppError, invalid, type TaskClient } from '../../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../../files/exports.ts';
import type { RevocationClient } from '../trust/revocation-client.ts';
import type { TsaClient } from '../trust/tsa-client.ts';
import { unwrapSigningTask } from './task-failures.ts';

/** A signature, with its certificates and its timestamp, to raise to a level. */
interface SignatureData {
  certificate: Uint8Array;
  chain: readonly Uint8Array[];
  timestamp: Uint8Array;
  level: 'b-lt' | 'b-lta';
}

/** Raises signatures to the levels above b-b (the augmentation of ETSI EN 319 102-1). */
export interface SignatureAugmenter {
  /** Returns a timestamp of a signature, in DER. @throws {AppError} UNAVAILABLE, TSA_ERROR */
  timestamp(signature: Uint8Array): Promise<Uint8Array>;
  /**
   * Adds the data for validating a signature later, and for b-lta a document timestamp.
   * @throws {AppError} VALIDATION_ERROR if the certificate is revoked or has no addresses; UNAVAILABLE,
   * TSA_ERROR
   */
  extend(pdf: Uint8Array, data: SignatureData): Promise<Uint8Array>;
}

/**
 * The maximum number of rounds of requests. A response can lead to further requests: the certificate of an
 * issuer leads to its revocation list.
 */
const MAX_ROUNDS = 8;
const RETRY_AFTER_SECONDS = 30;

/** Creates the augmenter. `roots` are certificates in PEM that complete chains. */
export function createSignatureAugmenter({
  tasks,
  timestampTasks,
  tsa,
  revocation,
  roots,
}: {
  tasks: TaskClient<typeof import('./task.ts')>;
  timestampTasks: TaskClient<typeof import('../operations/timestamp/task.ts')>;
  tsa: TsaClient;
  revocation: RevocationClient;
  roots: readonly string[];
}): SignatureAugmenter {
  async function collect({ certificate, chain, timestamp, level }: SignatureData) {
    const session = revocation.open();
    const answers: RemoteResponse[] = [];
    const now = Date.now();
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const request = { certificates: [certificate, ...chain], timestamp, roots, answers, now };
      const result = await unwrapSigningTask(tasks.collect(request, pdfTaskLimits));
      if ('data' in result) return result.data;
      if ('faults' in result) {
        const message = `${level} cannot be reached: ${result.faults.join('; ')}`;
        if (!result.isTemporary) throw invalid('level', `${message}. Use b-t`);
        throw new AppError('UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      answers.push(...(await session.fetchAll(result.requests)));
    }
    throw invalid('level', `${level} cannot be reached: the certificates lead to too many others. Use b-t`);
  }

  return {
    async timestamp(signature) {
      const request = await unwrapSigningTask(tasks.requestTimestamp({ signature }, pdfTaskLimits));
      const answer = await tsa.send(request.der);
      const result = await unwrapSigningTask(tasks.readTimestampToken({ answer, request }, pdfTaskLimits));
      if ('fault' in result) throw refused(result.fault);
      return result.token;
    },
    async extend(signed, request) {
      const data = await collect(request);
      const pdf = await unwrapTaskResult('pdf', tasks.addData({ pdf: { raw: signed }, data }, pdfTaskLimits));
      if (request.level === 'b-lt') return pdf;
      const pending = await unwrapTaskResult(
        'pdf',
        timestampTasks.prepare({ pdf: { raw: pdf } }, pdfTaskLimits),
      );
      const answer = await tsa.send(pending.request.der);
      const made = await unwrapSigningTask(timestampTasks.embed({ ...pending, answer }, pdfTaskLimits));
      if ('fault' in made) throw refused(made.fault);
      return made.pdf;
    },
  };
}

function refused(fault: string): AppError {
  return new AppError('TSA_ERROR', `the response of the time stamping authority ${fault}`);
}
