import { Check } from '../ui/controls.tsx';

/** Renders the checkbox that keeps a result instead of deleting it after a week. */
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
