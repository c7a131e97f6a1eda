import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { readRows } from '../data/list.ts';
import { useResource } from '../data/resource.ts';
import type { Asset } from '../data/types.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { namesInReach, searchEntries, type HelperExample } from './insert-entries.ts';

/** Renders the list of everything that can be inserted, beside the documentation of the current entry. */
export function InsertDialog(props: {
  /** The template before the cursor. */
  before?: string;
  /** The selected text. */
  selected?: string;
  data: unknown;
  hasAssets: boolean;
  onInsert: (text: string, isFooter: boolean) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const [chosen, setChosen] = useState('');
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const entries = searchEntries(text);
  const entry = entries[Math.min(index, entries.length - 1)];
  const [names] = useState(() => namesInReach(props.before ?? '', props.data));
  const assets = useResource(props.hasAssets ? 'assets all' : undefined, (signal) =>
    readRows<Asset>('/v1/assets', { signal }),
  );
  const images = (assets.data?.data ?? []).filter(({ type }) => type.startsWith('image/'));
  const choicesOf: Record<string, readonly string[]> = {
    field: names.fields,
    list: names.lists,
    image: images.map((image) => image.name),
  };
  const choices = choicesOf[entry?.choice ?? ''] ?? [];
  const standIn = { field: 'name', list: 'items', image: 'logo.png', none: '' }[entry?.choice ?? 'none'];
  const name = choices.includes(chosen) ? chosen : (choices[0] ?? standIn);
  const code =
    entry?.make({
      name,
      content: props.selected ?? '',
      fields: choices.includes(name) ? names.fieldsOf(name) : [],
    }) ?? '';
  const insert = () => {
    if (!entry) return;
    props.onClose();
    props.onInsert(code, entry.isFooter ?? false);
  };
  useEffect(() => {
    document.getElementById(`${list}-${entry?.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) setIndex((index + move + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') insert();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Insert" size="wide" onClose={props.onClose}>
      <div class="insert">
        <div class="insert-find">
          <input
            type="text"
            class="input"
            role="combobox"
            aria-label="Search parts and helpers"
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={entry && `${list}-${entry.id}`}
            placeholder="Search parts and helpers"
            value={text}
            ref={field}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setIndex(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div id={list} role="listbox" class="insert-list" aria-label="Parts and helpers">
            {entries.map((each, position) => (
              <div
                key={each.id}
                id={`${list}-${each.id}`}
                role="option"
                aria-selected={each === entry}
                class="insert-entry"
                onClick={() => setIndex(position)}
                onDblClick={insert}
              >
                <span>{each.title}</span>
                <small>{each.group}</small>
              </div>
            ))}
          </div>
          {entries.length === 0 && <p class="soft">Nothing matches “{text}”.</p>}
        </div>
        {entry && (
          <section class="insert-detail" aria-label={`About ${entry.title}`} tabIndex={0}>
            <h3>{entry.title}</h3>
            <p>{entry.description}</p>
            {entry.signature !== undefined && (
              <p class="insert-arguments">
                <span class="label">Arguments</span>
                <code>
                  {entry.title} {entry.signature}
                </code>
              </p>
            )}
            {entry.choice === 'image' ? (
              <Pictures images={images} name={name} onName={setChosen} />
            ) : (
              entry.choice &&
              (choices.length > 0 ? (
                <Select
                  label={entry.choice === 'list' ? 'List' : 'Value'}
                  value={name}
                  choices={choices.map((path) => [path, path] as const)}
                  onValue={setChosen}
                />
              ) : (
                <p class="soft">
                  The sample data has no {entry.choice === 'list' ? 'list' : 'value'} here, so the example{' '}
                  <code>{standIn}</code> is inserted.
                </p>
              ))
            )}
            {entry.examples?.map((example) => (
              <Example key={example.template} example={example} />
            ))}
            {!entry.examples && <pre class="insert-code">{code}</pre>}
            <Button kind="primary" onClick={insert}>
              {entry.examples ? 'Insert the first example' : 'Insert'}
            </Button>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Pictures(props: { images: Asset[]; name: string; onName: (name: string) => void }) {
  if (props.images.length === 0)
    return (
      <p class="soft">
        No image is stored yet. Upload one under <a href="/studio/assets">Assets</a>; the example logo.png is
        inserted.
      </p>
    );
  return (
    <fieldset class="pictures">
      <legend class="label">Image</legend>
      {props.images.map(({ name, url }) => (
        <label key={name}>
          <input
            type="radio"
            name="picture"
            checked={name === props.name}
            onChange={() => props.onName(name)}
          />
          <img src={url} alt="" loading="lazy" />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Example({ example: { template, data, output } }: { example: HelperExample }) {
  return (
    <dl class="insert-example">
      <dt>Template</dt>
      <dd>
        <code>{template}</code>
      </dd>
      {data && (
        <>
          <dt>Data</dt>
          <dd>
            <code>{JSON.stringify(data)}</code>
          </dd>
        </>
      )}
      <dt>Output</dt>
      <dd>
        <code>{output}</code>
      </dd>
    </dl>
  );
}
