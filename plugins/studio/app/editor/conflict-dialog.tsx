import type { Template } from '../data/types.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

/**
 * A change elsewhere that saving would undo: the latest state of the template, or undefined if it was
 * deleted.
 */
export type Conflict = { latest: Template; isNewVersion: boolean } | { latest: undefined };

/** Asks whether to save a draft whose template was changed or deleted elsewhere. */
export function ConflictDialog(props: {
  conflict: Conflict;
  html: string;
  isBusy: boolean;
  onSave: () => void;
  onOpen: (template: Template) => void;
  onClose: () => void;
}) {
  const { conflict, isBusy } = props;
  const cancel = <Button onClick={props.onClose}>Cancel</Button>;
  if (!conflict.latest)
    return (
      <Dialog
        title="This template was deleted elsewhere"
        onClose={props.onClose}
        actions={
          <>
            {cancel}
            <Button kind="primary" isBusy={isBusy} onClick={props.onSave}>
              Save as a new template
            </Button>
          </>
        }
      >
        <p class="soft">Your changes are still here. The new template has another id.</p>
      </Dialog>
    );
  const { latest, isNewVersion } = conflict;
  const { version } = latest;
  const isSameHtml = props.html === latest.html_content;
  return (
    <Dialog
      title={isNewVersion ? `Version ${version} was saved elsewhere` : 'This template was changed elsewhere'}
      onClose={props.onClose}
      actions={
        <>
          {cancel}
          <Button onClick={() => props.onOpen(latest)}>
            {isNewVersion ? `Open version ${version}` : 'Open the changed template'}
          </Button>
          <Button kind="primary" isBusy={isBusy} onClick={props.onSave}>
            {isSameHtml ? 'Save anyway' : 'Save as a new version'}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="soft">
          {isNewVersion && !isSameHtml && `If you save, version ${version} stays in the list of versions. `}
          The name, page options, schema and sample data in this editor replace those that were saved
          elsewhere.
        </p>
        <p class="soft">
          If you open {isNewVersion ? `version ${version}` : 'the changed template'}, your changes here are
          lost.
        </p>
      </div>
    </Dialog>
  );
}
