import type { Template } from '../data/types.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Menu } from '../ui/menu.tsx';
import { isStoredDraft } from './draft-conflict.ts';

export type EditorDialog = 'alias' | 'code' | 'delete' | 'insert' | 'keys' | 'versions' | undefined;

/** Renders the name of the template, its state and its actions. */
export function EditorBar(props: {
  template: Template;
  name: string;
  isChanged: boolean;
  isSaving: boolean;
  canPublish: boolean;
  onName: (name: string) => void;
  onOpen: (dialog: EditorDialog) => void;
  onCopy: () => void;
  onPublication: () => void;
  onPrint: () => void;
  onSave: () => void;
  onSaveDraft: () => void;
}) {
  const { template } = props;
  const isNew = template.id === '';
  const isDraft = isStoredDraft(template);
  const names = [template.alias, ...template.tags].filter(Boolean).join(', ');
  return (
    <header class="editor-bar">
      <LinkButton kind="quiet" icon="left" href="/studio/templates" aria-label="All templates" />
      <input
        class="title-input"
        aria-label="Name of the template"
        value={props.name}
        placeholder="Untitled template"
        maxLength={200}
        onInput={(event) => props.onName(event.currentTarget.value)}
      />
      <span class="editor-state">
        {!isNew && (
          <span class={isDraft ? 'badge accent' : 'badge'}>
            {isDraft ? 'Draft' : 'Version'} {template.version}
          </span>
        )}
        {names && (
          <button
            type="button"
            class="badge names"
            aria-label={`Alias and tags: ${names}`}
            onClick={() => props.onOpen('alias')}
          >
            {names}
          </button>
        )}
        {template.is_public && <span class="badge accent">Public</span>}
        {props.isChanged && <span class="unsaved">{isNew ? 'Not saved yet' : 'Unsaved changes'}</span>}
      </span>
      <div class="editor-actions">
        {!isNew && (
          <>
            <Button kind="quiet" icon="history" onClick={() => props.onOpen('versions')}>
              Versions
            </Button>
            <Button kind="quiet" icon="code" onClick={() => props.onOpen('code')}>
              Use it from code
            </Button>
            <Menu
              label="More"
              items={[
                { label: 'Alias and tags', icon: 'number', action: () => props.onOpen('alias') },
                { label: 'Make a copy', icon: 'copy', action: () => props.onCopy() },
                props.canPublish && {
                  label: template.is_public ? 'Unpublish' : 'Publish',
                  icon: 'market',
                  action: props.onPublication,
                },
                { label: 'Delete', icon: 'trash', isDanger: true, action: () => props.onOpen('delete') },
              ]}
            />
          </>
        )}
        <Button icon="play" onClick={() => props.onPrint()} title="Make a PDF (Ctrl Enter)">
          Make PDF
        </Button>
        {!isNew && !isDraft && (
          <Button
            disabled={!props.isChanged}
            onClick={() => props.onSaveDraft()}
            title="Stores a version that is not current"
          >
            Save as draft
          </Button>
        )}
        <Button
          kind="primary"
          isBusy={props.isSaving}
          disabled={!props.isChanged}
          onClick={() => props.onSave()}
          title="Save (Ctrl S)"
        >
          {isDraft ? 'Save draft' : 'Save'}
        </Button>
      </div>
    </header>
  );
}
