import { untilAborted } from '@platen/runtime';
import { AppError, explainTaskFailure, type Log } from '../../src/plugin.ts';
import type { AiService, GeneratedTemplate, GenerateTemplateRequest } from './contract.ts';
import { extractHtml } from './extract-html.ts';
import { TASK_FAILURES, validateTemplate, type Fault, type ValidatorParts } from './validate-template.ts';
import { RequestLimit } from './request-limit.ts';
import { requestCorrection, describeBrief, systemPrompt } from './prompt.ts';
import { ProviderError, type Message, type Provider, type Reply } from './providers/provider.ts';

/** The first answer and one correction. */
const MAX_ATTEMPTS = 2;
/** The length to which an invalid answer is shortened before it is sent back. */
const MAX_SENT_BACK_LENGTH = 100_000;

/** Keys under 12 characters are placeholders such as `none`, which may legitimately occur in a document. */
const MIN_SECRET_LENGTH = 12;

/** The services and settings that the service uses. */
interface AiParts extends ValidatorParts {
  /** `undefined` when no provider is configured. */
  provider: Provider | undefined;
  /** The provider's key, which must not occur in an answer. */
  secret: string | undefined;
  timeoutMs: number;
  concurrency: number;
  log: Log;
}

/** Creates the service that has a language model write templates. */
export function createAiService(parts: AiParts): AiService {
  const { provider, timeoutMs, concurrency, log } = parts;
  const secret = (parts.secret?.length ?? 0) < MIN_SECRET_LENGTH ? undefined : parts.secret;
  const requestLimit = new RequestLimit(concurrency);

  async function write(
    request: GenerateTemplateRequest,
    model: Provider,
    signal: AbortSignal,
  ): Promise<GeneratedTemplate> {
    const helpers = await parts.tasks.listHelpers({}, { signal }).catch((error: unknown) => {
      throw explainTaskFailure(error, TASK_FAILURES);
    });
    const system = systemPrompt(helpers);
    const messages: Message[] = [{ role: 'user', content: describeBrief(request) }];
    for (let attempt = 1; ; attempt += 1) {
      const reply = await model.ask({ system, messages }, signal);
      const html = extractHtml(reply.text);
      if (secret !== undefined && html.includes(secret))
        throw new ProviderError("the answer of the AI provider contains the provider's API key");
      const result = await validateTemplate(
        { html, required: request.variables, accountId: request.account.id, signal },
        parts,
      );
      if (result.ok) return { html, variables: result.variables };
      log.info({ kind: result.kind }, 'an answer of the AI provider is invalid');
      if (attempt === MAX_ATTEMPTS) throw unusable(result);
      messages.push(
        { role: 'assistant', content: reply.text.slice(0, MAX_SENT_BACK_LENGTH) || '(no answer)' },
        { role: 'user', content: requestCorrection(explain(reply, result)) },
      );
    }
  }

  return {
    isConfigured: provider !== undefined,
    async generateTemplate(request) {
      if (!provider)
        throw new AppError(
          'AI_NOT_CONFIGURED',
          'no AI provider is configured; the operator configures one by setting AI_API_KEY and AI_MODEL',
        );
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([request.signal, deadline]);
      try {
        // If the signal aborts while a validation print is running, the print is left to finish.
        return await requestLimit.run(request.account.id, () =>
          untilAborted(write(request, provider, signal), signal),
        );
      } catch (error) {
        request.signal.throwIfAborted();
        if (deadline.aborted)
          throw new AppError(
            'AI_ERROR',
            `the AI provider returned no usable template within ${timeoutMs / 1000} s`,
          );
        if (!(error instanceof ProviderError)) throw error;
        const { message, retryAfterSeconds } = error;
        throw new AppError('AI_ERROR', message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
      }
    },
  };
}

function explain({ isTruncated }: Reply, { message }: Fault): string {
  return isTruncated ? `it is too long and was truncated; write a shorter one (${message})` : message;
}

function unusable({ kind }: Fault): AppError {
  return new AppError('AI_ERROR', `the AI provider returned no usable template in ${MAX_ATTEMPTS} attempts`, {
    details: [{ path: '', message: `the last template was rejected; reason: ${kind}` }],
  });
}
