import { get } from './api.ts';
import { printPage } from './print-page.ts';
import type { Template, TemplateSummary } from './types.ts';

const CACHE = 'platen-template-images';
const loaded = new Map<string, string>();
let queue: Promise<unknown> = Promise.resolve();

/** Removes all stored images, before another account signs in. */
export async function forgetImages(): Promise<void> {
  for (const url of loaded.values()) URL.revokeObjectURL(url);
  loaded.clear();
  if ('caches' in window) await caches.delete(CACHE).catch(() => false);
}

/**
 * A visible template that needs an image. The signal is aborted when the template is removed from the view or
 * changes.
 */
export interface ImageRequest {
  template: Pick<TemplateSummary, 'id' | 'version' | 'updated_at'>;
  from: '/v1/templates' | '/v1/marketplace';
  signal: AbortSignal;
}

/**
 * Returns the URL of an image of the first page, printed with the sample data. Images are printed one after
 * the other, because previews have a low rate limit. An image is reused until the template changes.
 */
export async function loadTemplateImage({ template, from, signal }: ImageRequest): Promise<string> {
  const key = `/studio/template-images/${template.id}/${template.version}/${Date.parse(template.updated_at)}`;
  const known = loaded.get(key);
  if (known) return known;
  const store = 'caches' in window ? await caches.open(CACHE).catch(() => undefined) : undefined;
  const stored = await store?.match(key);
  const work = async () => {
    signal.throwIfAborted();
    const image = (await stored?.blob()) ?? (await printFirstPage(`${from}/${template.id}`, signal));
    if (!stored) await store?.put(key, new Response(image)).catch(() => undefined);
    const url = URL.createObjectURL(image);
    loaded.set(key, url);
    return url;
  };
  if (stored) return work();
  const turn = queue.then(work, work);
  queue = turn.catch(() => undefined);
  return turn;
}

/** Prints the first page of the template at a path of the API with its sample data. */
export async function printFirstPage(path: string, signal: AbortSignal): Promise<Blob> {
  const template = await get<Template>(path, signal);
  const { html_content, sample_data, options, translations, default_locale } = template;
  // A file is printed as a template of the account.
  const id = path.slice(path.lastIndexOf('/') + 1);
  const source = html_content === null ? { template: id } : { html_content, translations, default_locale };
  const { blob } = await printPage({ ...source, data: sample_data ?? {}, options, page: 1 }, signal);
  return blob;
}
