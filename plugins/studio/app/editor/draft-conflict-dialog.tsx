import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { DraftConflict } from './draft-conflict.ts';

/** Asks whether to store a draft in spite of a conflict. */
export function DraftConflictDialog(props: {
  conflict: DraftConflict;
  isBusy: boolean;
  onSave: () => void;
  onOpen: (which: 'current' | 'draft') => void;
  onClose: () => void;
}) {
  const { kind, latest } = props.conflict;
  const { title, text } = describe(props.conflict);
  const other = kind === 'replaced' || kind === 'unseen' ? 'draft' : 'current';
  const open = other === 'draft' ? 'Open the draft' : `Open version ${latest.current_version}`;
  return (
    <Dialog
      title={title}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button onClick={() => props.onOpen(other)}>{open}</Button>
          <Button kind="primary" isBusy={props.isBusy} onClick={props.onSave}>
            Save as a draft
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="soft">{text}</p>
        <p class="soft">{`If you choose “${open}”, your changes here are lost.`}</p>
      </div>
    </Dialog>
  );
}

function describe({ kind, latest }: DraftConflict): { title: string; text: string } {
  const { current_version: current, draft_version: draft } = latest;
  const isNew = 'If you save, your changes are stored as a new draft.';
  const replaces = `If you save, your draft replaces version ${draft}.`;
  switch (kind) {
    case 'promoted':
      return { title: 'The draft was made current elsewhere', text: isNew };
    case 'changed':
      return {
        title: `Version ${current} was saved elsewhere`,
        text: `If you save, your draft does not contain the changes of version ${current}.`,
      };
    case 'deleted':
      return { title: 'The draft was deleted elsewhere', text: isNew };
    case 'replaced':
      return { title: `Version ${draft} was saved as a draft elsewhere`, text: replaces };
    case 'unseen':
      return { title: 'The template has a draft', text: replaces };
  }
}
