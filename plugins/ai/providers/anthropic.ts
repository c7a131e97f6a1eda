import { Type, type EgressGuard } from '../../../src/plugin.ts';
import type { ProviderSettings } from '../settings.ts';
import { createClient, postJson } from './http-client.ts';
import { ProviderError, requireShape, type Provider, type Reply } from './provider.ts';

/** The value of the `anthropic-version` header. */
const API_VERSION = '2023-06-01';

const StopReason = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const MessageResponse = Type.Object({
  type: Type.Literal('message'),
  content: Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
  stop_reason: StopReason,
});

const StreamEvent = Type.Object({
  type: Type.String(),
  delta: Type.Optional(Type.Object({ text: Type.Optional(Type.String()), stop_reason: StopReason })),
});

/** Creates a provider that uses Anthropic's Messages API. */
export function createAnthropic(settings: ProviderSettings, egress: EgressGuard): Provider {
  const { baseUrl, apiKey, model, maxTokens } = settings;
  const client = createClient(egress, {
    // Anthropic's libraries take the base URL without the version; other tools include it.
    baseUrl: baseUrl.replace(/\/v1$/, ''),
    headers: { 'anthropic-version': API_VERSION, ...(apiKey !== undefined && { 'x-api-key': apiKey }) },
  });
  return {
    async ask({ system, messages }, signal) {
      const json = { model, max_tokens: maxTokens, stream: false, system, messages };
      const answer = await postJson(client, { path: 'v1/messages', json, signal });
      return 'whole' in answer ? readWhole(answer.whole) : readEvents(answer.events);
    },
  };
}

function readWhole(whole: unknown): Reply {
  const { content, stop_reason: reason } = requireShape(MessageResponse, whole);
  const texts = content.filter(({ type }) => type === 'text').map(({ text = '' }) => text);
  return toReply(texts.join(''), reason);
}

function readEvents(events: readonly unknown[]): Reply {
  let text = '';
  let reason: string | null | undefined;
  let hasEnded = false;
  for (const event of events) {
    const { type, delta } = requireShape(StreamEvent, event);
    if (type === 'error') throw new ProviderError('the AI provider answered with an error');
    if (type === 'content_block_delta') text += delta?.text ?? '';
    reason = delta?.stop_reason ?? reason;
    hasEnded ||= type === 'message_stop';
  }
  if (!hasEnded) throw new ProviderError('the answer of the AI provider is truncated');
  return toReply(text, reason);
}

function toReply(text: string, reason: string | null | undefined): Reply {
  if (reason === 'refusal') throw new ProviderError('the AI provider refused to answer this prompt');
  return { text, isTruncated: reason === 'max_tokens' };
}
