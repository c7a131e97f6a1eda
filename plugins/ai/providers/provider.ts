/** A turn of a conversation. */
export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** What the model is told, and the conversation so far. */
export interface Conversation {
  system: string;
  messages: readonly Message[];
}

/** The model's answer. */
export interface Reply {
  text: string;
  /** Whether it stopped because the answer was getting too long. */
  isCutOff: boolean;
}

/** A provider of a language model. */
export interface Provider {
  /** Has the model answer. @throws {ProviderError} for whatever goes wrong, and what the signal was aborted with. */
  ask(conversation: Conversation, signal: AbortSignal): Promise<Reply>;
}

/** Why there is no answer. Message and note are of this service's own words: nothing that the provider wrote is in them. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  /** How long the provider wants to be left alone, when that is why. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { retryAfterSeconds?: number } = {}) {
    super(message);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Makes the error for an answer that is not as the provider's interface says. */
export function nonsense(): ProviderError {
  return new ProviderError('the AI provider gave an answer that is not of its interface');
}
