import { Fragment } from 'preact';
import { unknownPatterns, withPattern, type EventGroup } from '../../data/event-types.ts';
import { Check } from '../../ui/controls.tsx';

/** Renders the choice of the events that an endpoint receives: single types, or all of a noun. */
export function EventChoice(props: {
  groups: readonly EventGroup[];
  chosen: readonly string[];
  onChosen: (patterns: string[]) => void;
}) {
  const { groups, chosen, onChosen } = props;
  const check = (pattern: string, label: string, hint: string) => (
    <Check
      key={pattern}
      label={label}
      hint={hint}
      checked={chosen.includes(pattern)}
      onValue={(isOn) => onChosen(withPattern(chosen, pattern, isOn))}
    />
  );
  return (
    <div class="field">
      <p class="label" aria-hidden="true">
        Events
      </p>
      <fieldset class="choices">
        <legend class="visually-hidden">Events</legend>
        {groups.map(({ pattern, label, types }) => (
          <Fragment key={pattern}>
            {check(pattern, label, pattern)}
            {!chosen.includes(pattern) && (
              <div class="choices">{types.map(({ type, summary }) => check(type, summary, type))}</div>
            )}
          </Fragment>
        ))}
        {unknownPatterns(chosen, groups).map((pattern) =>
          check(pattern, pattern, 'The service has no such events now.'),
        )}
      </fieldset>
    </div>
  );
}
