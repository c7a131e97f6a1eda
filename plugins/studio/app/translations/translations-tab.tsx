import { builtInLabel } from '@platen/templates/labels';
import { useId, useMemo, useState } from 'preact/hooks';
import { formatCountOf } from '../data/format.ts';
import { Button, Field } from '../ui/controls.tsx';
import { toast } from '../ui/toast.tsx';
import { nameOfLanguage } from './languages.ts';
import {
  faultOfKey,
  keysOf,
  keysUsedIn,
  labelsUsedIn,
  readLanguage,
  restoreKey,
  restoreLanguage,
  withLanguage,
  withMessage,
  withoutKey,
  withoutLanguage,
  type Translations,
} from './messages.ts';
import { TranslationsTable } from './translations-table.tsx';

/** Languages that the field for a new one suggests. */
const SUGGESTED = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja', 'zh-Hans', 'ar', 'he'];
/** The most keys without a message that are named. */
const MAX_NAMED = 12;

/** Renders the messages of a template in several languages. */
export function TranslationsTab(props: {
  translations: Translations | undefined;
  html: string;
  /** The messages of errors, by paths such as `translations.de.total`. */
  faults: Readonly<Record<string, string>>;
  /** Keys that were added and have no message yet. They are not part of the draft. */
  added: readonly string[];
  onAdded: (keys: readonly string[]) => void;
  onChange: (translations: Translations | undefined) => void;
  /** Changes the translations that the draft has by then. */
  onUndo: (change: (current: Translations | undefined) => Translations | undefined) => void;
}) {
  const { translations, html, faults, added, onAdded, onChange, onUndo } = props;
  const [focus, setFocus] = useState<string>();
  const messages = translations?.messages ?? {};
  const used = useMemo(() => keysUsedIn(html), [html]);
  const labels = useMemo(
    () => labelsUsedIn(html).filter((name) => builtInLabel(name, 'en') !== undefined),
    [html],
  );
  const stored = translations ? keysOf(translations) : [];
  const keys = [...new Set([...stored, ...added, ...labels])];
  const absent = used.filter((key) => !keys.includes(key));
  const addKeys = (names: readonly string[]) => {
    onAdded([...added, ...names]);
    setFocus(names[0]);
  };
  const tellRemoved = (name: string, undo: Parameters<typeof onUndo>[0]) =>
    toast(`${name} was removed.`, {
      action: { label: 'Undo', run: () => onUndo(undo) },
      lastsMs: 10_000,
    });
  const general = faults['translations'] ?? faults['default_locale'];

  return (
    <div class="translations">
      {translations === undefined && (
        <div class="translations-intro">
          <h3>One template, several languages</h3>
          <p class="hint">
            Add a language, and write its messages here. <code>{'{{t "total"}}'}</code> in the HTML prints the
            message <code>total</code> in the language that a request names with <code>locale</code>.
          </p>
        </div>
      )}
      {general && (
        <p class="field-error" role="alert">
          {general}
        </p>
      )}
      <div class="translations-bar">
        <NewEntry
          noun="language"
          placeholder="de"
          suggestions={SUGGESTED.filter((tag) => !Object.hasOwn(messages, tag)).map(
            (tag) => [tag, nameOfLanguage(tag)] as const,
          )}
          onAdd={(text) => {
            const { tag, error } = readLanguage(text, messages);
            if (tag !== undefined) onChange(withLanguage(translations, tag));
            return error;
          }}
        />
        {translations && (
          <NewEntry
            noun="key"
            placeholder="total"
            onAdd={(key) => {
              const fault = faultOfKey(key, keys);
              if (fault === undefined) addKeys([key]);
              return fault;
            }}
          />
        )}
      </div>
      {translations && absent.length > 0 && (
        <div class="absent-keys" role="note">
          <span>
            {formatCountOf(absent.length, 'key')} of the HTML {absent.length === 1 ? 'has' : 'have'} no
            message:{' '}
            {absent.slice(0, MAX_NAMED).map((key) => (
              <code key={key}>{key}</code>
            ))}
            {absent.length > MAX_NAMED && ' …'}
          </span>
          <Button size="small" onClick={() => addKeys(absent)}>
            {absent.length === 1 ? 'Add it' : 'Add all'}
          </Button>
        </div>
      )}
      {translations && keys.length === 0 && (
        <p class="hint">
          This template has no messages yet. Add a key, and use it in the HTML as <code>{'{{t "key"}}'}</code>
          .
        </p>
      )}
      {translations && (
        <TranslationsTable
          translations={translations}
          keys={keys}
          labels={labels}
          faults={faults}
          focus={focus}
          onText={(change) => {
            // A key stays in the table while its last message is rewritten.
            if (!added.includes(change.key)) onAdded([...added, change.key]);
            onChange({ ...translations, messages: withMessage(translations.messages, change) });
          }}
          onDefault={(defaultLocale) => onChange({ ...translations, defaultLocale })}
          onRemoveLanguage={(language) => {
            onChange(withoutLanguage(translations, language));
            tellRemoved(nameOfLanguage(language), (current) =>
              restoreLanguage(current, { before: translations, language }),
            );
          }}
          onRemoveKey={(key) => {
            onAdded(added.filter((other) => other !== key));
            onChange({ ...translations, messages: withoutKey(translations.messages, key) });
            tellRemoved(key, (current) => current && restoreKey(current, { before: translations, key }));
          }}
        />
      )}
    </div>
  );
}

/** Renders a field for a new entry, with its button. Enter adds the entry, too. */
function NewEntry(props: {
  noun: string;
  placeholder: string;
  suggestions?: readonly (readonly [value: string, label: string])[];
  /** Adds the entry, or returns why it cannot be added. */
  onAdd: (text: string) => string | undefined;
}) {
  const { noun, suggestions = [] } = props;
  const list = useId();
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const fault = props.onAdd(text.trim());
        setError(fault ?? '');
        if (fault === undefined) setText('');
      }}
    >
      <Field
        label={`New ${noun}`}
        value={text}
        placeholder={props.placeholder}
        list={list}
        error={error}
        onValue={(value) => {
          setText(value);
          setError('');
        }}
      />
      <datalist id={list}>
        {suggestions.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
      <Button type="submit">Add {noun}</Button>
    </form>
  );
}
