import { useEffect, useMemo, useRef } from 'preact/hooks';
import { reasonOf } from '../data/api.ts';
import { readRows } from '../data/list.ts';
import type { Asset, TemplateSummary } from '../data/types.ts';

/**
 * Parses sample data. Empty text is an empty object. Returns the last valid data and an error while the text
 * is not a JSON object.
 */
export function useSampleData(text: string): { value: Record<string, unknown>; error: string } {
  const last = useRef<Record<string, unknown>>({});
  return useMemo(() => {
    try {
      const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { value: last.current, error: 'The sample data must be a JSON object.' };
      last.current = value as Record<string, unknown>;
      return { value: last.current, error: '' };
    } catch (error) {
      return { value: last.current, error: `${reasonOf(error)}.` };
    }
  }, [text]);
}

/** Loads the names of partials and assets that completion offers. */
export function useCompletionNames(
  names: { current: { partials: string[]; assets: string[] } },
  hasAssets: boolean,
): void {
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const { signal } = controller;
      const templates = await readRows<TemplateSummary>('/v1/templates', { signal });
      names.current.partials = templates.data.filter(({ partial }) => partial).map(({ name }) => name);
      if (!hasAssets) return;
      const assets = await readRows<Asset>('/v1/assets', { signal });
      names.current.assets = assets.data.map(({ name }) => name);
    };
    // Completion works without these names.
    load().catch(() => undefined);
    return () => controller.abort();
  }, []);
}
