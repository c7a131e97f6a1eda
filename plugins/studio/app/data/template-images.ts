import { get, retrying, send } from './api.ts';
import type { Template, TemplateSummary } from './types.ts';

const CACHE = 'platen-template-images';
const loaded = new Map<string, string>();
let queue: Promise<unknown> = Promise.resolve();

/** Removes all stored images, for another account. */
export async function forgetImages(): Promise<void> {
  for (const url of loaded.values()) URL.revokeObjectURL(url);
  loaded.clear();
  if ('caches' in window) await caches.delete(CACHE).catch(() => false);
}

/** A visible template that needs an image. The signal aborts when the template is no longer visible. */
export interface ImageRequest {
  template: Pick<TemplateSummary, 'id' | 'version' | 'updated_at'>;
  from: '/v1/templates' | '/v1/marketplace';
  signal: AbortSignal;
}

/**
 * Returns the URL of an image of the first page, printed with the sample data. Images are printed one after the other, because previews have
 * a low rate limit, and stored until the template changes.
 */
export async function loadTemplateImage({ template, from, signal }: ImageRequest): Promise<string> {
  const key = `/studio/template-images/${template.id}/${template.version}/${Date.parse(template.updated_at)}`;
  const known = loaded.get(key);
  if (known) return known;
  const store = 'caches' in window ? await caches.open(CACHE).catch(() => undefined) : undefined;
  const stored = await store?.match(key);
  const work = async () => {
    signal.throwIfAborted();
    const answer = stored ?? (await print(`${from}/${template.id}`, signal));
    if (!stored) await store?.put(key, answer.clone()).catch(() => undefined);
    const url = URL.createObjectURL(await answer.blob());
    loaded.set(key, url);
    return url;
  };
  if (stored) return work();
  const turn = queue.then(work, work);
  queue = turn.catch(() => undefined);
  return turn;
}

async function print(path: string, signal: AbortSignal): Promise<Response> {
  const { html_content, sample_data, options } = await get<Template>(path, signal);
  const body = { html_content, data: sample_data ?? {}, options, output: 'png', page: 1 };
  return retrying(() => send('POST', '/v1/templates/preview', body, { signal }), signal);
}
