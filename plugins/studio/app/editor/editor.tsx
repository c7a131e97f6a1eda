import { useMemo } from 'preact/hooks';
import { get } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import type { Template } from '../data/types.ts';
import { lazily } from '../ui/lazily.tsx';
import { Failure } from '../ui/states.tsx';
import type { ViewProps } from '../view-props.ts';
import { newTemplate } from './new-template.ts';
import { Workbench } from './workbench.tsx';

/** Loaded only for templates that are office files. */
const OfficeTemplate = lazily(async () => (await import('./office-template.tsx')).OfficeTemplate);

/** Loads a template and opens it in the editor. The id `new` opens an unsaved template. */
export function Editor({ params: [id = 'new'] }: ViewProps) {
  // Other views may change the URL before this one is gone.
  const isDraft = useMemo(() => new URLSearchParams(location.search).has('draft'), [id]);
  const template = useResource(id === 'new' ? undefined : `template ${id}`, async (signal) => {
    const current = await get<Template>(`/v1/templates/${id}`, signal);
    if (!isDraft || current.draft_version === null) return current;
    return get<Template>(`/v1/templates/${id}?version=${current.draft_version}`, signal);
  });
  if (id === 'new') return <Workbench template={newTemplate()} />;
  // An editor must not start with an old copy of the template, such as the cached one.
  if (template.data && !template.isLoading)
    return template.data.format === 'html' ? (
      <Workbench key={id} template={template.data} />
    ) : (
      <OfficeTemplate key={id} template={template.data} />
    );
  if (template.error !== undefined) return <Failure error={template.error} retry={template.reload} />;
  return <div class="editor-loading skeleton" role="status" aria-label="Loading the template" />;
}
