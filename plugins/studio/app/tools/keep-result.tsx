import { Check } from '../ui/controls.tsx';

/** Renders the choice to keep a result. */
export function KeepResult(props: { isKept: boolean; onKept: (isKept: boolean) => void }) {
  return (
    <Check
      label="Keep the result"
      hint="Otherwise it is deleted after 7 days."
      checked={props.isKept}
      onValue={props.onKept}
    />
  );
}
