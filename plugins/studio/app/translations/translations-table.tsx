import { builtInLabel } from '@platen/templates/labels';
import { useEffect, useId, useRef } from 'preact/hooks';
import { formatCount } from '../data/format.ts';
import { Button } from '../ui/controls.tsx';
import { nameOfLanguage } from './languages.ts';
import { inheritedText, textOf, type Translations } from './messages.ts';

/** Renders the messages: keys down, languages across. */
export function TranslationsTable(props: {
  translations: Translations;
  keys: readonly string[];
  /** The keys that are built-in labels. Without a message, a document has the text of the label. */
  labels: readonly string[];
  /** The messages of errors, by paths such as `translations.de.total`. */
  faults: Readonly<Record<string, string>>;
  /** The key whose first field takes the focus. */
  focus: string | undefined;
  onText: (change: { language: string; key: string; text: string }) => void;
  onDefault: (language: string) => void;
  onRemoveLanguage: (language: string) => void;
  onRemoveKey: (key: string) => void;
}) {
  const { translations, keys, labels } = props;
  const { messages, defaultLocale } = translations;
  const languages = Object.keys(messages);
  /** Returns the built-in label that a document has, unless it has a message. */
  const labelFor = (language: string, key: string) =>
    labels.includes(key) && textOf(messages, defaultLocale, key) === ''
      ? builtInLabel(key, new Intl.Locale(language).language)
      : undefined;
  const isMissing = (language: string, key: string) =>
    textOf(messages, language, key) === '' &&
    inheritedText(messages, language, key) === '' &&
    labelFor(language, key) === undefined;
  const fallbackFor = (language: string, key: string) =>
    inheritedText(messages, language, key) ||
    (labelFor(language, key) ?? textOf(messages, defaultLocale, key));
  const rows = keys.map((key) => ({
    key,
    isBuiltIn: labels.includes(key) && languages.every((language) => textOf(messages, language, key) === ''),
  }));
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Messages">
      <table class="table translations-table">
        <thead>
          <tr>
            <th scope="col">Key</th>
            {languages.map((language) => (
              <th key={language} scope="col">
                <LanguageHead
                  language={language}
                  missing={keys.filter((key) => isMissing(language, key)).length}
                  isDefault={language === defaultLocale}
                  fault={props.faults[`translations.${language}`]}
                  onDefault={() => props.onDefault(language)}
                  onRemove={() => props.onRemoveLanguage(language)}
                />
              </th>
            ))}
            <th>
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, isBuiltIn }) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
                {isBuiltIn && <span class="key-state">Built in</span>}
              </th>
              {languages.map((language, index) => (
                <td key={language}>
                  <MessageField
                    label={`${key} in ${nameOfLanguage(language)}`}
                    language={language}
                    text={textOf(messages, language, key)}
                    fallback={fallbackFor(language, key)}
                    isMissing={isMissing(language, key)}
                    fault={props.faults[`translations.${language}.${key}`]}
                    isFocused={index === 0 && key === props.focus}
                    onText={(text) => props.onText({ language, key, text })}
                  />
                </td>
              ))}
              <td class="actions">
                {!isBuiltIn && (
                  <Button
                    kind="quiet"
                    size="small"
                    icon="trash"
                    aria-label={`Remove ${key}`}
                    onClick={() => props.onRemoveKey(key)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LanguageHead(props: {
  language: string;
  missing: number;
  isDefault: boolean;
  fault: string | undefined;
  onDefault: () => void;
  onRemove: () => void;
}) {
  const { language, missing } = props;
  const name = nameOfLanguage(language);
  return (
    <div class="language-head">
      <div class="language-name">
        <span>{name}</span>
        {name !== language && <code>{language}</code>}
        <Button
          kind="quiet"
          size="small"
          icon="trash"
          aria-label={`Remove ${name}`}
          onClick={props.onRemove}
        />
      </div>
      <div class="language-state">
        <span class={missing > 0 ? 'is-missing' : undefined}>
          {missing > 0 ? `${formatCount(missing)} missing` : 'Complete'}
        </span>
        {props.isDefault ? (
          <span class="badge accent">Default</span>
        ) : (
          <Button kind="quiet" size="small" aria-label={`Make default: ${name}`} onClick={props.onDefault}>
            Make default
          </Button>
        )}
      </div>
      {props.fault && <p class="field-error">{props.fault}</p>}
    </div>
  );
}

function MessageField(props: {
  label: string;
  language: string;
  text: string;
  /** The text that the document shows while there is no message. */
  fallback: string;
  isMissing: boolean;
  fault: string | undefined;
  isFocused: boolean;
  onText: (text: string) => void;
}) {
  const { label, text, fault, isFocused, isMissing } = props;
  const faultId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  return (
    <div class="message-field">
      <textarea
        class={isMissing ? 'input is-missing' : 'input'}
        rows={1}
        lang={props.language}
        dir="auto"
        aria-label={text === '' ? `${label}, ${isMissing ? 'missing' : 'built in'}` : label}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault ? faultId : undefined}
        placeholder={props.fallback || 'Missing'}
        value={text}
        ref={field}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      {fault && (
        <p id={faultId} class="field-error">
          {fault}
        </p>
      )}
    </div>
  );
}
