import { Button } from '../ui/controls.tsx';
import { MOD } from './mod-key.ts';

/** Renders the buttons above the code. Those without a function are left out. */
export function SourceTools(props: {
  onInsert: (() => void) | false;
  onFind: (() => void) | false;
  onKeys: () => void;
}) {
  return (
    <div class="row tight">
      {props.onInsert && (
        <Button kind="quiet" size="small" icon="plus" title={`Insert (${MOD} I)`} onClick={props.onInsert}>
          Insert
        </Button>
      )}
      {props.onFind && (
        <Button
          kind="quiet"
          size="small"
          icon="search"
          aria-label="Find and replace"
          title={`Find and replace (${MOD} F)`}
          onClick={props.onFind}
        />
      )}
      <Button
        kind="quiet"
        size="small"
        icon="help"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={props.onKeys}
      />
    </div>
  );
}
