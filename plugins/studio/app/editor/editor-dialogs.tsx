import type { RefObject } from 'preact';
import { forget } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { Template } from '../data/types.ts';
import { Confirm } from '../ui/dialog.tsx';
import { lazily } from '../ui/lazily.tsx';
import type { CodeHandle } from './code-editor.tsx';
import { isStoredDraft } from './draft-conflict.ts';
import type { Draft } from './draft.ts';
import type { EditorDialog } from './editor-bar.tsx';

/** Dialogs that are loaded when they are opened. */
const AliasAndTags = lazily(async () => (await import('../screens/alias-and-tags.tsx')).AliasAndTags);
const Versions = lazily(async () => (await import('./versions.tsx')).Versions);
const UseFromCode = lazily(async () => (await import('./use-code.tsx')).UseFromCode);
const InsertDialog = lazily(async () => (await import('./insert-dialog.tsx')).InsertDialog);
const KeysDialog = lazily(async () => (await import('./keys-dialog.tsx')).KeysDialog);

/** Renders the dialog of the editor that is open, if any. */
export function EditorDialogs(props: {
  dialog: EditorDialog;
  stored: Template;
  draft: Draft;
  data: Record<string, unknown>;
  /** Whether the HTML of the draft differs from that of the stored template. */
  isUnsaved: boolean;
  /** The editor of the HTML. */
  html: RefObject<CodeHandle | null>;
  onClose: () => void;
  onInsert: (text: string, isFooter: boolean) => void;
  /** Receives fields of the template that a dialog has stored. */
  onStored: (given: Partial<Template>) => void;
  onRestored: (template: Template) => void;
  onOpenDraft: () => void;
  onDelete: () => Promise<void>;
}) {
  const { dialog, stored, draft, data, onClose } = props;
  const { service } = useSession();
  return (
    <>
      {dialog === 'versions' && (
        <Versions
          id={stored.id}
          draft={{ html: draft.html, data, options: draft.options }}
          onClose={onClose}
          onDraft={props.onOpenDraft}
          onRestored={props.onRestored}
        />
      )}
      {dialog === 'insert' && (
        <InsertDialog
          {...props.html.current?.selection()}
          data={data}
          hasAssets={service.plugins.includes('assets')}
          onInsert={props.onInsert}
          onClose={onClose}
        />
      )}
      {dialog === 'alias' && (
        <AliasAndTags
          template={stored}
          onClose={onClose}
          onSaved={(given) => {
            props.onStored(given);
            forget('template');
          }}
        />
      )}
      {dialog === 'keys' && <KeysDialog onClose={onClose} />}
      {dialog === 'code' && (
        <UseFromCode
          id={stored.id}
          data={data}
          options={draft.options}
          currentVersion={isStoredDraft(stored) ? stored.current_version : undefined}
          isUnsaved={props.isUnsaved}
          onClose={onClose}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title="Delete this template?"
          text={`“${stored.name}” and all its versions can be restored from the trash for 30 days. Programs that use the template fail at once. Documents that were made from it remain.`}
          action="Delete"
          onClose={onClose}
          run={props.onDelete}
        />
      )}
    </>
  );
}
