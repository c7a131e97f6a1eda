import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../data/roles.ts';
import { useTemplateNames } from '../data/template-names.ts';
import { wordsOf } from '../data/words.ts';
import type { Session } from '../data/types.ts';
import { navigate } from '../router.ts';
import { navigationOf } from '../navigation.ts';
import { Icon } from './icon.tsx';
import { commandsOfView, type Command } from './palette-commands.ts';

/** The most commands that are shown. */
const MAX_SHOWN = 60;

/** Renders the palette, which finds views, PDF tools, templates and commands by name. */
export function Palette(props: {
  session: Session;
  /** The commands that are available in every view. */
  commands: readonly Command[];
  onClose: () => void;
}) {
  const { session, onClose } = props;
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  /** Whether Enter was pressed when no command matched, as before the tools are loaded. */
  const isAwaited = useRef(false);
  const list = useId();
  const templates = useTemplateNames();
  const hasTools = session.service.plugins.includes('pdf-tools') && may(session, 'editor');
  // The list of tools is loaded late, because it includes the forms of all tools.
  const tools = useResource(hasTools ? 'tools palette' : undefined, () => import('../tools/tools.ts'));
  const commands = useMemo<Command[]>(() => {
    const toViews = navigationOf(session).flatMap(({ entries }) =>
      entries.map(({ url, label, icon }) => ({
        id: url,
        label,
        icon,
        group: 'Go to',
        run: () => navigate(url),
      })),
    );
    const toTemplates = [...templates].map(([id, name]) => ({
      id,
      label: name,
      icon: 'template' as const,
      group: 'Templates',
      run: () => navigate(`/studio/templates/${id}`),
    }));
    const toTools = (tools.data?.toolGroupsOf(session.service) ?? []).flatMap((group) =>
      group.tools.map(({ slug, name, icon }) => ({
        id: slug,
        label: name,
        icon,
        group: 'PDF tools',
        run: () => navigate(`/studio/tools/${slug}`),
      })),
    );
    return [...commandsOfView(), ...toViews, ...props.commands, ...toTools, ...toTemplates];
  }, [session, templates, tools.data, props.commands]);
  const words = wordsOf(text);
  const matches = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const shown = matches.slice(0, MAX_SHOWN);
  const current = shown[Math.min(selected, shown.length - 1)];

  // Before the page is drawn, so that the palette takes the keys that follow its shortcut at once.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  const run = (command: Command | undefined) => {
    if (!command) {
      isAwaited.current = true;
      return;
    }
    onClose();
    command.run();
  };
  useEffect(() => {
    if (isAwaited.current) run(current);
  }, [tools.data]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setSelected((selected + 1) % Math.max(1, shown.length));
    else if (event.key === 'ArrowUp') setSelected((selected - 1 + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') run(current);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="palette-input">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search views, templates and commands"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current && `${list}-${current.id}`}
          placeholder="Search views, templates and commands"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setSelected(0);
            isAwaited.current = false;
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={list} role="listbox" class="palette-list" aria-label="Results">
        {shown.map((command) => (
          <div
            key={command.id}
            id={`${list}-${command.id}`}
            role="option"
            aria-selected={command === current}
            class="palette-entry"
            onPointerMove={() => setSelected(shown.indexOf(command))}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span>{command.label}</span>
            <small>{command.group}</small>
          </div>
        ))}
      </div>
      {matches.length > shown.length && (
        <p class="palette-none">
          {shown.length} of {formatCount(matches.length)} results are shown. Type more of the name to find the
          others.
        </p>
      )}
      {shown.length === 0 && <p class="palette-none">Nothing matches “{text}”.</p>}
    </dialog>
  );
}
