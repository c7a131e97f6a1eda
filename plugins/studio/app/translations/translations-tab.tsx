import { useId, useMemo, useState } from 'preact/hooks';
import { formatCountOf } from '../data/format.ts';
import { Button, Field } from '../ui/controls.tsx';
import { toast } from '../ui/toast.tsx';
import { nameOfLanguage } from './languages.ts';
import {
  faultOfKey,
  keysOf,
  keysUsedIn,
  readLanguage,
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
  onChange: (translations: Translations | undefined) => void;
}) {
  const { translations, html, faults, onChange } = props;
  /** Keys that were added and have no message yet. They are kept only here. */
  const [added, setAdded] = useState<readonly string[]>([]);
  const [focus, setFocus] = useState<string>();
  const used = useMemo(() => keysUsedIn(html), [html]);
  const stored = translations ? keysOf(translations) : [];
  const keys = [...stored, ...added.filter((key) => !stored.includes(key))];
  const absent = used.filter((key) => !keys.includes(key));
  const addKeys = (names: readonly string[]) => {
    setAdded([...added, ...names]);
    setFocus(names[0]);
  };
  const undo = { label: 'Undo', run: () => onChange(translations) };
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
        <NewLanguage translations={translations} onAdd={(tag) => onChange(withLanguage(translations, tag))} />
        {translations && <NewKey keys={keys} onAdd={(key) => addKeys([key])} />}
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
          There are no messages yet. Add a key, and use it in the HTML as <code>{'{{t "key"}}'}</code>.
        </p>
      )}
      {translations && (
        <TranslationsTable
          translations={translations}
          keys={keys}
          faults={faults}
          focus={focus}
          onText={(change) => {
            // A key stays in the table while its last message is rewritten.
            if (!added.includes(change.key)) setAdded([...added, change.key]);
            onChange({ ...translations, messages: withMessage(translations.messages, change) });
          }}
          onDefault={(defaultLocale) => onChange({ ...translations, defaultLocale })}
          onRemoveLanguage={(language) => {
            onChange(withoutLanguage(translations, language));
            toast(`${nameOfLanguage(language)} was removed.`, { action: undo, lastsMs: 10_000 });
          }}
          onRemoveKey={(key) => {
            setAdded(added.filter((other) => other !== key));
            onChange({ ...translations, messages: withoutKey(translations.messages, key) });
            toast(`${key} was removed.`, { action: undo, lastsMs: 10_000 });
          }}
        />
      )}
    </div>
  );
}

function NewLanguage(props: { translations: Translations | undefined; onAdd: (tag: string) => void }) {
  const messages = props.translations?.messages ?? {};
  const list = useId();
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const read = readLanguage(text, messages);
        setError(read.error ?? '');
        if (read.error !== undefined) return;
        setText('');
        props.onAdd(read.tag);
      }}
    >
      <Field
        label="New language"
        value={text}
        placeholder="de"
        list={list}
        error={error}
        onValue={(value) => {
          setText(value);
          setError('');
        }}
      />
      <datalist id={list}>
        {SUGGESTED.filter((tag) => !Object.hasOwn(messages, tag)).map((tag) => (
          <option key={tag} value={tag}>
            {nameOfLanguage(tag)}
          </option>
        ))}
      </datalist>
      <Button type="submit">Add language</Button>
    </form>
  );
}

function NewKey({ keys, onAdd }: { keys: readonly string[]; onAdd: (key: string) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const key = text.trim();
        const fault = faultOfKey(key, keys);
        setError(fault ?? '');
        if (fault !== undefined) return;
        setText('');
        onAdd(key);
      }}
    >
      <Field
        label="New key"
        value={text}
        placeholder="total"
        error={error}
        onValue={(value) => {
          setText(value);
          setError('');
        }}
      />
      <Button type="submit">Add key</Button>
    </form>
  );
}
