import { AppError, explainTaskFailure, type Log } from '../../src/plugin.ts';
import type { AiService, GeneratedTemplate, GenerateTemplateRequest } from './contract.ts';
import { extractHtml } from './extract-html.ts';
import { blame, judgeTemplate, type Fault, type JudgeParts } from './judge.ts';
import { Places } from './places.ts';
import { describeFault, describeWish, systemPrompt } from './prompt.ts';
import { ProviderError, type Message, type Provider, type Reply } from './providers/provider.ts';

/** The first answer and a better one. */
const TRIES = 2;
/** What of a bad answer is sent back: enough to be corrected. */
const MAX_SENT_BACK = 100_000;

/** A shorter key is none, but what a server without keys is given in place of one, such as `none`; documents may have that in them. */
const SECRET_LENGTH = 12;

/** What the service works with. */
export interface AiParts extends JudgeParts {
  /** `undefined` where none is configured. */
  provider: Provider | undefined;
  /** What may not be in an answer: the provider's key. */
  secret: string | undefined;
  timeoutMs: number;
  concurrency: number;
  log: Log;
}

/** Makes the service that has templates written. */
export function createAiService(parts: AiParts): AiService {
  const { provider, timeoutMs, concurrency, log } = parts;
  const secret = (parts.secret?.length ?? 0) < SECRET_LENGTH ? undefined : parts.secret;
  const places = new Places(concurrency);

  async function write(
    request: GenerateTemplateRequest,
    asked: Provider,
    signal: AbortSignal,
  ): Promise<GeneratedTemplate> {
    const helpers = await parts.tasks.listHelpers({}, { signal }).catch((error: unknown) => {
      throw explainTaskFailure(error, blame);
    });
    const system = systemPrompt(helpers);
    const messages: Message[] = [{ role: 'user', content: describeWish(request) }];
    for (let left = TRIES; ; left -= 1) {
      const reply = await asked.ask({ system, messages }, signal);
      const html = extractHtml(reply.text);
      if (secret !== undefined && html.includes(secret))
        throw new ProviderError("the AI provider wrote the service's own key into its answer");
      const verdict = await judgeTemplate(
        { html, wanted: request.variables, accountId: request.account.id, signal },
        parts,
      );
      if (verdict.ok) return { html, variables: verdict.variables };
      log.info({ kind: verdict.kind }, 'an answer of the AI provider was refused');
      if (left === 1) throw unusable(verdict);
      messages.push(
        { role: 'assistant', content: reply.text.slice(0, MAX_SENT_BACK) || '(no answer)' },
        { role: 'user', content: describeFault(explain(reply, verdict)) },
      );
    }
  }

  return {
    async generateTemplate(request) {
      if (!provider)
        throw new AppError(
          'AI_NOT_CONFIGURED',
          'no AI provider is configured: the operator sets AI_API_KEY and AI_MODEL',
        );
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([request.signal, limit]);
      try {
        return await places.use(request.account.id, () => inTime(write(request, provider, signal), signal));
      } catch (error) {
        request.signal.throwIfAborted();
        if (limit.aborted)
          throw new AppError(
            'AI_ERROR',
            `the AI provider gave no usable template within ${timeoutMs / 1000} s`,
          );
        if (!(error instanceof ProviderError)) throw error;
        const { message, retryAfterSeconds } = error;
        throw new AppError('AI_ERROR', message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
      }
    },
  };
}

function explain({ isCutOff }: Reply, { message }: Fault): string {
  return isCutOff ? `it was cut off, as it was too long; write a shorter one (${message})` : message;
}

function unusable({ kind }: Fault): AppError {
  return new AppError('AI_ERROR', `the AI provider gave no usable template, in ${TRIES} tries`, {
    details: [{ path: '', message: `the last one was refused for this: ${kind}` }],
  });
}

/** Ends a wait when the signal does; what is being printed then is left to end by itself. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
