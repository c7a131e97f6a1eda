import { post, type ApiError } from '../data/api.ts';
import { rememberRequest } from '../data/own-requests.ts';
import { forget } from '../data/resource.ts';
import type { Template } from '../data/types.ts';
import { navigate } from '../router.ts';
import { toast } from '../ui/toast.tsx';
import { draftOf, translationFields, type Draft } from './draft.ts';
import { sentenceOf } from './wording.ts';

/** The codes of faults that may not occur on another attempt, or that occur in previews only. */
const TRANSIENT_CODES = ['ASSET_FAILED', 'RENDER_FAILED', 'RENDER_TIMEOUT', 'TOO_MANY_PAGES'];

/**
 * Makes a PDF of the document in the editor. If its HTML and translations are saved, the request names the
 * template, so that the document is listed under it. A fault that the preview shows is reported without a
 * request, which would only add a failed document to the history.
 */
export async function makePdf(from: {
  stored: Template;
  draft: Draft;
  data: Record<string, unknown>;
  /** The language of the document; the default when absent. */
  locale: string | undefined;
  /** The error of the preview, if it belongs to this draft. */
  fault: ApiError | undefined;
}): Promise<void> {
  const { stored, draft, data, locale, fault } = from;
  const code = fault?.details[0]?.code ?? '';
  if (fault?.status === 400 && !TRANSIENT_CODES.includes(code)) return report(fault);
  const { html, translations } = draftOf(stored);
  const isSaved =
    stored.id !== '' &&
    draft.html === html &&
    JSON.stringify(draft.translations) === JSON.stringify(translations);
  const request = {
    ...(isSaved
      ? { template: stored.id, template_version: stored.version }
      : { html: draft.html, ...translationFields(draft) }),
    data,
    options: draft.options,
    ...(locale && { locale }),
    ...(draft.name.trim() && { file_name: draft.name.replaceAll(/[/\\]/g, '-').slice(0, 190) }),
  };
  try {
    const { id } = await post<{ id: string }>('/v1/generate', request);
    rememberRequest(id, request);
    forget('generations');
    const run = () => navigate(`/studio/generations/${id}`);
    toast('The PDF is ready.', { action: { label: 'Show', run }, lastsMs: 10_000 });
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  toast(`The PDF was not made. ${sentenceOf(error)}`, { kind: 'error' });
}
