import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, isAborted, pause, retrying, send } from '../data/api.ts';
import { useSession } from '../data/session.ts';
import type { Warnings } from '../data/api-types.ts';
import type { PageOptions, Receipt } from '../data/types.ts';
import { translationFields, type Draft } from './draft.ts';
import { findingsOf, translationFindingsOf } from './faults.ts';
import { intervalOf, waitBeforePrint } from './pace.ts';

/** The document that is previewed. */
export interface PreviewSource extends Pick<Draft, 'translations'> {
  html: string;
  data: Record<string, unknown>;
  options: PageOptions;
  /** The language of the document; the default when absent. */
  locale?: string | undefined;
  page: number;
}

export interface PrintedPage {
  url: string;
  page: number;
  pages: number;
  /** The time from the request to the response. */
  ms: number;
  /** Descriptions of the faults that did not stop the printing, such as missing images. */
  findings: string[];
}

/** The state of a preview. The last printed page stays visible while the next one is printed. */
export interface Preview {
  printed: PrintedPage | undefined;
  /** Why the current document was not printed. An error of an earlier document is not kept. */
  error: ApiError | undefined;
  /** Whether the current document is neither printed nor rejected yet. */
  isPrinting: boolean;
}

/** The last result, and the request that it belongs to. */
interface Outcome {
  printed: PrintedPage | undefined;
  error: ApiError | undefined;
  of: string | undefined;
}

/** Prints a document whenever it changes. A newer document cancels the request of an older one. */
export function usePreview(source: PreviewSource, isReady: boolean): Preview & { refresh: () => void } {
  const [last, setLast] = useState<Outcome>({ printed: undefined, error: undefined, of: undefined });
  const [attempt, setAttempt] = useState(0);
  const intervalMs = intervalOf(useSession().usage.rate_limit);
  const lastSentAt = useRef(-Infinity);
  const latestBody = useRef<string>(undefined);
  const body = JSON.stringify(bodyOf(source));
  const current = `${source.page} ${attempt} ${body}`;

  useEffect(() => {
    if (!isReady) return;
    const controller = new AbortController();
    const { signal } = controller;
    const isTyping = latestBody.current !== undefined && latestBody.current !== body;
    latestBody.current = body;
    const work = async () => {
      if (isTyping) {
        const now = performance.now();
        await pause(waitBeforePrint({ now, lastSentAt: lastSentAt.current, intervalMs }), signal);
      }
      lastSentAt.current = performance.now();
      const printed = await print(source, signal);
      if (signal.aborted) return URL.revokeObjectURL(printed.url);
      setLast(({ printed: before }) => {
        if (before) URL.revokeObjectURL(before.url);
        return { printed, error: undefined, of: current };
      });
    };
    work().catch((error: unknown) => {
      if (signal.aborted || isAborted(error)) return;
      const reason =
        error instanceof ApiError ? error : new ApiError(String(error), { status: 0, code: 'UNKNOWN' });
      setLast(({ printed }) => ({ printed, error: reason, of: current }));
    });
    return () => controller.abort();
  }, [body, source.page, attempt, isReady]);

  const isCurrent = last.of === current;
  return {
    printed: last.printed,
    error: isCurrent ? last.error : undefined,
    isPrinting: isReady && !isCurrent,
    refresh: () => setAttempt((count) => count + 1),
  };
}

interface PreviewResult {
  data: string;
  pages: number;
  receipt: Receipt | null;
  warnings: Warnings;
}

function bodyOf({ html, data, options, locale, translations }: PreviewSource): object {
  return {
    html_content: html,
    data,
    options,
    ...(locale && { locale }),
    ...translationFields({ translations }),
  };
}

async function print(source: PreviewSource, signal: AbortSignal): Promise<PrintedPage> {
  const { page } = source;
  const request = { ...bodyOf(source), output: 'png', page, receipt: true };
  const started = performance.now();
  const response = await retrying(async () => {
    try {
      return await send('POST', '/v1/templates/preview', request, { signal });
    } catch (error) {
      // The document may have fewer pages than before, so the first page is printed instead.
      if (!(error instanceof ApiError) || error.details[0]?.path !== 'page' || page === 1) throw error;
      return send('POST', '/v1/templates/preview', { ...request, page: 1 }, { signal });
    }
  }, signal);
  const { data: image, pages, receipt, warnings } = (await response.json()) as PreviewResult;
  return {
    url: URL.createObjectURL(new Blob([bytesOf(image)], { type: 'image/png' })),
    pages,
    page: page > pages ? 1 : page,
    ms: performance.now() - started,
    findings: [...(receipt ? findingsOf(receipt) : []), ...translationFindingsOf(warnings)],
  };
}

/** Decodes base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
