import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'class'> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger' | undefined;
  size?: 'small' | 'large' | undefined;
  icon?: IconName | undefined;
  isBusy?: boolean | undefined;
  children?: ComponentChildren;
}

/** Renders a button. A button without children needs `aria-label`. */
export function Button({ kind = 'plain', size, icon, isBusy, children, ...rest }: ButtonProps) {
  const names = ['button', kind, size, children === undefined && 'only-icon', isBusy && 'is-busy'];
  return (
    <button
      type="button"
      {...rest}
      class={names.filter(Boolean).join(' ')}
      aria-busy={isBusy}
      disabled={rest.disabled}
      onClick={isBusy ? undefined : rest.onClick}
      title={rest.title ?? (children === undefined ? rest['aria-label'] : undefined)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface LinkButtonProps {
  href: string;
  kind?: 'primary' | 'plain' | 'quiet' | undefined;
  size?: 'small' | 'large' | undefined;
  icon?: IconName | undefined;
  download?: string | boolean | undefined;
  children?: ComponentChildren;
  'aria-label'?: string;
}

/** Renders a link that looks like a button. */
export function LinkButton({ kind = 'plain', size, icon, children, ...rest }: LinkButtonProps) {
  const names = ['button', kind, size, children === undefined && 'only-icon'];
  return (
    <a
      {...rest}
      class={names.filter(Boolean).join(' ')}
      title={children === undefined ? rest['aria-label'] : undefined}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

interface Labels {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

/** The attributes that connect a control to its label and its note. */
interface LabelledControl {
  id: string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
}

/**
 * Renders a label above a control and a note below it: the hint, or the error instead, which often repeats
 * the hint.
 */
function Labelled(props: Labels & { control: (attributes: LabelledControl) => ComponentChildren }) {
  const { label, hint, error, control } = props;
  const id = useId();
  const note = error || hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        id,
        'aria-invalid': error ? 'true' : undefined,
        'aria-describedby': note ? `${id}-note` : undefined,
      })}
      {note && (
        <p class={error ? 'field-error' : 'hint'} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends Labels {
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'url' | 'date';
  name?: string;
  autocomplete?: string;
  placeholder?: string;
  required?: boolean;
  readOnly?: boolean;
  disabled?: boolean;
  maxLength?: number;
  autofocus?: boolean;
  /** The id of a `datalist` with suggestions. */
  list?: string;
}

/** Renders a text field with a label, a hint and an error. */
export function Field({ label, hint, error, onValue, autofocus, ...rest }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autofocus) input.current?.focus();
  }, []);
  return (
    <Labelled
      {...{ label, hint, error }}
      control={(attributes) => (
        <input
          {...(rest as object)}
          {...attributes}
          ref={input}
          class="input"
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    />
  );
}

interface TextAreaProps extends Labels {
  value: string;
  onValue: (value: string) => void;
  rows: number;
  placeholder?: string;
  required?: boolean;
  maxLength?: number;
  /** Shows the text in a fixed-width font and does not check its spelling. */
  isCode?: boolean;
}

/** Renders a field for several lines. */
export function TextArea({ label, hint, error, onValue, isCode, ...rest }: TextAreaProps) {
  return (
    <Labelled
      {...{ label, hint, error }}
      control={(attributes) => (
        <textarea
          {...rest}
          {...attributes}
          class={isCode ? 'input code' : 'input'}
          spellcheck={!isCode}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    />
  );
}

interface SelectProps extends Labels {
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
  onValue: (value: string) => void;
  /** Shows only the control. The label is available to assistive technology. */
  isBare?: boolean;
}

/** Renders a choice of one value. */
export function Select({ value, choices, onValue, isBare, ...labels }: SelectProps) {
  const control = (attributes: object) => (
    <span class="select">
      <select {...attributes} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {choices.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="down" size={12} />
    </span>
  );
  return isBare ? (
    <div class="select-bare">{control({ 'aria-label': labels.label })}</div>
  ) : (
    <Labelled {...labels} control={control} />
  );
}

/** Renders a checkbox with its label. */
export function Check(props: {
  label: string;
  hint?: string;
  checked: boolean;
  onValue: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onValue(event.currentTarget.checked)}
      />
      <span>
        {props.label}
        {props.hint && <small class="hint">{props.hint}</small>}
      </span>
    </label>
  );
}

/** Renders a search field that reports its text after a short pause. */
export function Search({
  label,
  value,
  onValue,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        class="input"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onValue(next.trim()), 200);
        }}
      />
    </div>
  );
}

/** Renders a set of exclusive choices in a row. */
export function Segments<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly (readonly [value: T, label: string, count?: number])[];
  onValue: (value: T) => void;
}) {
  return (
    <div class="segments" role="group" aria-label={props.label}>
      {props.choices.map(([value, label, count]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onValue(value)}
        >
          {label}
          {count !== undefined && count > 0 && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
