import { post } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { toast } from '../ui/toast.tsx';
import { translationFields, type Draft } from './draft.ts';

/** Stores the document in the editor as another template, and opens it. */
export async function copyDraft(
  { name, html, schema, options, translations }: Draft,
  { data, category }: { data: Record<string, unknown>; category: string },
): Promise<void> {
  const { id } = await post<{ id: string }>('/v1/templates', {
    name: `${name} (copy)`.slice(0, 200),
    html_content: html,
    schema,
    sample_data: data,
    options,
    ...translationFields({ translations }),
    category,
  });
  forget('templates');
  toast('The template was copied. You are now editing the copy.');
  navigate(`/studio/templates/${id}`);
}
