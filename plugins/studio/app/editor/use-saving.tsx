import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, get, post, put } from '../data/api.ts';
import type { Template } from '../data/types.ts';
import { toast } from '../ui/toast.tsx';
import { ConflictDialog, type Conflict } from './conflict-dialog.tsx';
import { isStoredDraft } from './draft-conflict.ts';
import { draftOf, isSameDraft, storedTranslations, type Draft } from './draft.ts';
import { sentenceOf } from './wording.ts';

interface Saving {
  isSaving: boolean;
  save: () => Promise<void>;
  /** The dialog that saving has opened, if any. */
  question: ComponentChildren;
}

/**
 * Returns the function that saves the draft of a template. It asks first if the template was saved or deleted
 * elsewhere in the meantime.
 */
export function useSaving(from: {
  stored: Template;
  draft: Draft;
  data: { value: Record<string, unknown>; error: string };
  openData: () => void;
  onSaved: (template: Template) => void;
  onOpened: (template: Template) => void;
}): Saving {
  const { stored, draft, data } = from;
  const [isSaving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<Conflict>();

  /** Replaces `base`, the state of the template that the person knows. An empty id creates a template. */
  const saveOver = async (base: Template) => {
    if (isSaving) return;
    if (data.error) {
      from.openData();
      return toast('The template was not saved: the sample data is not valid JSON.', { kind: 'error' });
    }
    setSaving(true);
    try {
      const found = await store(base);
      setConflict(found);
    } catch (error) {
      setConflict(undefined);
      toast(`The template was not saved. ${sentenceOf(error)}`, { kind: 'error' });
    }
    setSaving(false);
  };

  /** Stores the draft, or returns the change elsewhere that storing it would undo. */
  const store = async (base: Template): Promise<Conflict | undefined> => {
    const body = {
      name: draft.name.trim() || 'Untitled template',
      html_content: draft.html,
      schema: draft.schema,
      sample_data: data.value,
      options: draft.options,
      ...storedTranslations(draft, base),
    };
    if (base.id === '') {
      const { id } = await post<{ id: string }>('/v1/templates', { ...body, category: base.category });
      const template = await get<Template>(`/v1/templates/${id}`);
      from.onSaved(template);
      toast(`Saved as version ${template.version}.`);
      return undefined;
    }
    const path = `/v1/templates/${base.id}`;
    try {
      const latest = await get<Template>(path);
      if (latest.version !== base.version || !isSameDraft(draftOf(latest), draftOf(base)))
        return { latest, isNewVersion: latest.version !== base.version };
      const template = await put<Template>(path, body);
      from.onSaved(template);
      toast(messageOf(base, template));
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { latest: undefined };
      throw error;
    }
  };

  return {
    isSaving,
    save: () => saveOver(stored),
    question: conflict && (
      <ConflictDialog
        conflict={conflict}
        html={draft.html}
        isBusy={isSaving}
        onClose={() => setConflict(undefined)}
        onSave={() => void saveOver(conflict.latest ?? { ...stored, id: '', is_public: false })}
        onOpen={(template) => {
          setConflict(undefined);
          from.onOpened(template);
        }}
      />
    ),
  };
}

/**
 * Describes what was saved. Only a change of the HTML makes a new version, and the tests of the template may
 * keep it a draft.
 */
function messageOf(before: Template, after: Template): string {
  if (isStoredDraft(after))
    return `Saved as a draft, version ${after.version}, because its tests do not pass.`;
  return `Saved ${after.version === before.version ? 'in' : 'as'} version ${after.version}.`;
}
