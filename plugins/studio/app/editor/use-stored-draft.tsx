import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, get, post, put, remove } from '../data/api.ts';
import type { Template } from '../data/types.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { lazily } from '../ui/lazily.tsx';
import { toast } from '../ui/toast.tsx';
import { draftConflict, isStoredDraft, type DraftConflict } from './draft-conflict.ts';
import { storedTranslations, type Draft } from './draft.ts';
import { sentenceOf } from './wording.ts';

const DraftConflictDialog = lazily(
  async () => (await import('./draft-conflict-dialog.tsx')).DraftConflictDialog,
);

interface StoredDraft {
  isBusy: boolean;
  /** Stores the document in the editor as the draft of the template. */
  save: () => Promise<void>;
  /** Shows the stored draft in the editor. */
  open: () => void;
  /** Tells that the template has a draft, and offers what can be done with it. */
  notice: ComponentChildren;
  /** The dialog that an action has opened, if any. */
  question: ComponentChildren;
}

type Question =
  | { kind: 'conflict'; conflict: DraftConflict }
  | { kind: 'outdated' }
  | { kind: 'delete' }
  | { kind: 'leave'; which: 'current' | 'draft' };

/** Returns the actions on the draft that is stored beside the current version of a template. */
export function useStoredDraft(from: {
  stored: Template;
  draft: Draft;
  isChanged: boolean;
  data: { value: Record<string, unknown>; error: string };
  openData: () => void;
  /** Receives the stored template, whose document is that of the editor. */
  onSaved: (template: Template) => void;
  /** Receives the stored template when its document has not changed. */
  onStored: (template: Template) => void;
  /** Receives a template to show in place of the document in the editor. */
  onOpened: (template: Template) => void;
}): StoredDraft {
  const { stored, draft, data, isChanged } = from;
  const [isBusy, setBusy] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const path = `/v1/templates/${stored.id}`;
  const isDraft = isStoredDraft(stored);
  const close = () => setQuestion(undefined);

  /** Runs an action. `failure` says what was not done if it fails. */
  const run = async (failure: string, work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      close();
      await work();
    } catch (error) {
      toast(`${failure} ${sentenceOf(error)}`, { kind: 'error' });
    }
    setBusy(false);
  };

  const store = async (): Promise<Template> => {
    const name = draft.name.trim() || 'Untitled template';
    // The name is not part of a version.
    if (name !== stored.name) await put(path, { name });
    const document = {
      html_content: draft.html,
      schema: draft.schema,
      options: draft.options,
      ...storedTranslations(draft, stored),
    };
    const template = await put<Template>(path, { ...document, sample_data: data.value, draft: true });
    from.onSaved(template);
    return template;
  };

  /** Stores the draft, unless the template was changed elsewhere. The person then decides. */
  const storeUnlessChanged = async (): Promise<Template | undefined> => {
    const conflict = draftConflict(stored, await get<Template>(path));
    if (!conflict) return store();
    setQuestion({ kind: 'conflict', conflict });
    return undefined;
  };

  const requireData = (): boolean => {
    if (!data.error) return true;
    from.openData();
    toast('The draft was not saved: the sample data is not valid JSON.', { kind: 'error' });
    return false;
  };

  const tellSaved = ({ version }: Template) => toast(`Saved as a draft, version ${version}.`);
  const save = async () => {
    if (!requireData()) return;
    await run('The draft was not saved.', async () => {
      const saved = await storeUnlessChanged();
      if (saved) tellSaved(saved);
    });
  };

  const promote = async (draftVersion: number) => {
    const template = await post<Template>(`${path}/versions/${draftVersion}/promote`);
    from.onSaved(template);
    toast(`Version ${template.version} is current now.`);
  };
  const saveAndPromote = async () => {
    if (!requireData()) return;
    await run('The draft was not made current.', async () => {
      const saved = isChanged ? await storeUnlessChanged() : stored;
      if (!saved) return;
      try {
        await promote(saved.version);
      } catch (error) {
        // The message names the cases that do not pass.
        const isConflict = error instanceof ApiError && error.status === 409;
        if (!isConflict || stored.require_checks) throw error;
        setQuestion({ kind: 'outdated' });
      }
    });
  };

  const open = async (which: 'current' | 'draft') =>
    run('The template was not opened.', async () =>
      from.onOpened(await get<Template>(which === 'draft' ? `${path}?version=draft` : path)),
    );
  const openUnlessChanged = (which: 'current' | 'draft') =>
    isChanged ? setQuestion({ kind: 'leave', which }) : void open(which);

  const discard = async () => {
    await remove(`${path}/versions/${stored.draft_version}`);
    toast('The draft was deleted.');
    if (isDraft) from.onOpened(await get<Template>(path));
    else from.onStored({ ...stored, draft_version: null });
  };

  const notice = stored.draft_version !== null && (
    <div class="draft-notice" role="note">
      <span>
        {isDraft
          ? `This is a draft. Documents are made from version ${stored.current_version}.`
          : `Version ${stored.draft_version} is a draft.`}
      </span>
      <Button size="small" onClick={() => openUnlessChanged(isDraft ? 'current' : 'draft')}>
        {isDraft ? `Open version ${stored.current_version}` : 'Open the draft'}
      </Button>
      <Button size="small" onClick={() => setQuestion({ kind: 'delete' })}>
        Delete the draft
      </Button>
      {isDraft && (
        <Button size="small" kind="primary" isBusy={isBusy} onClick={() => void saveAndPromote()}>
          Make it current
        </Button>
      )}
    </div>
  );

  return {
    isBusy,
    save,
    open: () => openUnlessChanged('draft'),
    notice,
    question: question && (
      <>
        {question.kind === 'conflict' && (
          <DraftConflictDialog
            conflict={question.conflict}
            isBusy={isBusy}
            onClose={close}
            onOpen={(which) => void open(which)}
            onSave={() => void run('The draft was not saved.', async () => tellSaved(await store()))}
          />
        )}
        {question.kind === 'outdated' && (
          <Confirm
            title="The template was changed after this draft was saved"
            text="If you make the draft current, it replaces the current version with all that was changed. Earlier versions stay in the list of versions."
            action="Make it current"
            onClose={close}
            run={async () => promote((await store()).version)}
          />
        )}
        {question.kind === 'delete' && (
          <Confirm
            title="Delete the draft?"
            text={`Version ${stored.draft_version} is deleted, and cannot be restored. The current version does not change.`}
            action="Delete"
            onClose={close}
            run={discard}
          />
        )}
        {question.kind === 'leave' && (
          <Confirm
            title={`Open the ${question.which === 'draft' ? 'draft' : 'current version'} without saving?`}
            text="Your changes to this template will be lost."
            action="Open"
            onClose={close}
            run={async () => open(question.which)}
          />
        )}
      </>
    ),
  };
}
