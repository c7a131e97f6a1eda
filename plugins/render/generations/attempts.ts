import { AppError, DuplicateKeyError, type Collection } from '../../../src/plugin.ts';
import type { GenerateRequest, Generation } from '../contract.ts';
import { hasExpired } from './delete-generations.ts';

/** The traces of earlier attempts to run a request with an `Idempotency-Key`. */
export interface EarlierAttempts {
  /** The generation that an earlier attempt completed. It is delivered instead of a second one. */
  completed?: Generation;
  /** The id for the generation of this attempt; absent if a new id is needed. */
  id?: string;
}

/**
 * Looks for the generation of earlier attempts. All attempts use the same id, so that neither the process of
 * an attempt that died after it stored its generation nor one that was suspended leads to a second generation
 * and a second unit of quota.
 */
export async function findEarlierAttempts(
  generations: Collection<Generation>,
  { account, attempt }: Pick<GenerateRequest, 'account' | 'attempt'>,
): Promise<EarlierAttempts> {
  if (!attempt) return {};
  const id = `gen_${attempt.workId}`;
  const earlier = attempt.isRetry ? await generations.get(id) : null;
  if (!earlier) return { id };
  const isDelivered =
    earlier.accountId === account.id && earlier.status === 'completed' && !hasExpired(earlier);
  return isDelivered ? { completed: earlier } : {};
}

/**
 * Stores the generation of an attempt and returns it. If another attempt has completed the generation in the
 * meantime, returns that one.
 * @throws {AppError} UNAVAILABLE if the other attempt failed
 */
export async function insertOnce(
  generations: Collection<Generation>,
  generation: Generation,
): Promise<Generation> {
  try {
    await generations.insert(generation);
    return generation;
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    const other = await generations.get(generation.id);
    if (other?.accountId === generation.accountId && other.status === 'completed') return other;
    throw new AppError('UNAVAILABLE', 'another attempt to run this request has failed', {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}

/**
 * Stores a failed generation. Returns false if another attempt has ended the generation in the meantime.
 */
export async function insertFailed(
  generations: Collection<Generation>,
  generation: Generation,
): Promise<boolean> {
  try {
    await generations.insert(generation);
    return true;
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    return false;
  }
}
