import { readRows } from './list.ts';
import { useResource } from './resource.ts';
import { useSession } from './session.ts';
import type { TemplateSummary } from './types.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Returns the names of all templates, newest first, keyed by id. The map is empty until the names are loaded.
 */
export function useTemplateNames(): ReadonlyMap<string, string> {
  const { service } = useSession();
  const names = useResource(
    service.plugins.includes('templates') ? 'templates names' : undefined,
    async (signal) => {
      const { data } = await readRows<TemplateSummary>('/v1/templates', { signal });
      return new Map(data.map(({ id, name }) => [id, name]));
    },
  );
  return names.data ?? NONE;
}
