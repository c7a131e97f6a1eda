import { Type, type EgressGuard, type Static } from '../../../src/plugin.ts';
import type { ProviderSettings } from '../settings.ts';
import { createClient, postJson } from './http-client.ts';
import { malformedResponse, ProviderError, requireShape, type Provider, type Reply } from './provider.ts';

const Text = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
]);

const Completion = Type.Object({
  choices: Type.Array(
    Type.Object({
      message: Type.Object({ content: Type.Optional(Text) }),
      finish_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
    { minItems: 1 },
  ),
});

const Chunk = Type.Object({
  choices: Type.Array(
    Type.Object({
      delta: Type.Optional(Type.Object({ content: Type.Optional(Text) })),
      finish_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});

/**
 * Creates a provider that uses OpenAI's Chat Completions API, which many other providers and servers support.
 */
export function createOpenAi(settings: ProviderSettings, egress: EgressGuard): Provider {
  const { baseUrl, apiKey, model } = settings;
  const headers = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };
  const client = createClient(egress, { baseUrl, headers: { ...headers } });
  return {
    async ask({ system, messages }, signal) {
      const json = { model, stream: false, messages: [{ role: 'system', content: system }, ...messages] };
      const answer = await postJson(client, { path: 'chat/completions', json, signal });
      return 'whole' in answer ? readWhole(answer.whole) : readChunks(answer.events);
    },
  };
}

function readWhole(whole: unknown): Reply {
  const [choice] = requireShape(Completion, whole).choices;
  if (!choice) throw malformedResponse();
  return toReply(textOf(choice.message.content), choice.finish_reason);
}

/** Joins the chunks of a stream. A stream without a finish reason is truncated. */
function readChunks(events: readonly unknown[]): Reply {
  let text = '';
  let reason: string | null | undefined;
  for (const event of events) {
    for (const choice of requireShape(Chunk, event).choices.slice(0, 1)) {
      text += textOf(choice.delta?.content);
      reason = choice.finish_reason ?? reason;
    }
  }
  if (reason === undefined) throw new ProviderError('the answer of the AI provider is truncated');
  return toReply(text, reason);
}

function textOf(content: Static<typeof Text> | undefined): string {
  if (Array.isArray(content)) return content.map(({ text = '' }) => text).join('');
  return content ?? '';
}

function toReply(text: string, reason: string | null | undefined): Reply {
  if (reason === 'content_filter') throw new ProviderError('the AI provider refused to answer this prompt');
  return { text, isTruncated: reason === 'length' };
}
