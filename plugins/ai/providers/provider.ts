import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Static } from '../../../src/plugin.ts';

/** A message of a conversation. */
export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** The system prompt and the messages so far. */
interface Conversation {
  system: string;
  messages: readonly Message[];
}

/** The model's answer. */
export interface Reply {
  text: string;
  /** Whether the answer ends early because it reached the length limit. */
  isTruncated: boolean;
}

/** A provider of a language model. */
export interface Provider {
  /**
   * Asks the model for its next message.
   * @throws {ProviderError} for every failure, and the reason of the signal when it aborts.
   */
  ask(conversation: Conversation, signal: AbortSignal): Promise<Reply>;
}

/** Thrown when a provider returns no usable answer. The message contains no text from the provider. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  /** The time after which a busy provider accepts requests again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { retryAfterSeconds?: number } = {}) {
    super(message);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Creates the error for an answer that does not match the provider's API. */
export function malformedResponse(): ProviderError {
  return new ProviderError('the answer of the AI provider does not match its API');
}

/** Returns the value typed by its schema. @throws {ProviderError} when it does not match. */
export function requireShape<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!Value.Check(schema, value)) throw malformedResponse();
  return value;
}
