import { Select } from './controls.tsx';

const CHOICES = [
  ['', 'Live and test'],
  ['false', 'Live only'],
  ['true', 'Test only'],
] as const;

/** Renders the mark of what was made with a test key, or nothing for anything else. */
export function TestBadge({ test }: { test: boolean }) {
  return test ? <span class="badge warn">Test</span> : null;
}

/** Renders the filter of a list whose entries may be made with test keys. `value` is that of `?test=`. */
export function TestFilter({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  return <Select label="Test mode" isBare value={value} choices={CHOICES} onValue={onValue} />;
}
