import { Fragment } from 'preact';
import { unknownSelectors, withSelector, type EventGroup } from '../../data/event-types.ts';
import { Check } from '../../ui/controls.tsx';

/** Renders the choice of the events that an endpoint receives: single types, or all of a noun. */
export function EventChoice(props: {
  groups: readonly EventGroup[];
  chosen: readonly string[];
  onChosen: (selectors: string[]) => void;
}) {
  const { groups, chosen, onChosen } = props;
  const check = (selector: string, label: string, hint: string) => (
    <Check
      key={selector}
      label={label}
      hint={hint}
      checked={chosen.includes(selector)}
      onValue={(isOn) => onChosen(withSelector(chosen, selector, isOn))}
    />
  );
  return (
    <div class="field">
      <p class="label" aria-hidden="true">
        Events
      </p>
      <fieldset class="choices">
        <legend class="visually-hidden">Events</legend>
        {groups.map(({ selector, label, types }) => (
          <Fragment key={selector}>
            {check(selector, label, selector)}
            {!chosen.includes(selector) && (
              <div class="choices">{types.map(({ type, summary }) => check(type, summary, type))}</div>
            )}
          </Fragment>
        ))}
        {unknownSelectors(chosen, groups).map((selector) =>
          check(selector, selector, 'The service has no such events now.'),
        )}
      </fieldset>
    </div>
  );
}
