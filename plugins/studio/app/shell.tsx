import type { ComponentType } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { capitalise } from './data/format.ts';
import { may } from './data/roles.ts';
import { enterAccount, signOut, useSession, useSetSession } from './data/session.ts';
import { isDark, setTheme } from './data/theme.ts';
import type { Session } from './data/types.ts';
import { navigate, useLocation, whenLeft } from './router.ts';
import { attempt } from './ui/attempt.ts';
import { Button, Select } from './ui/controls.tsx';
import { Icon, Mark } from './ui/icon.tsx';
import type { Command } from './ui/palette-commands.ts';
import { Palette } from './ui/palette.tsx';
import { Failure, ViewHead } from './ui/states.tsx';
import { clearErrors } from './ui/toast.tsx';
import { navigationOf } from './navigation.ts';
import type { ViewProps } from './view-props.ts';
import { findView, type FoundView, type ViewEntry } from './views.ts';

const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl ';

/** Renders the navigation and the current view. */
export function Shell({ session }: { session: Session }) {
  const { pathname } = useLocation();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const view = findView(session, pathname);
  const found = view.entry;
  const params = (found?.path.exec(pathname) ?? []).slice(1).map(decodeURIComponent);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setPaletteOpen((isOpen) => !isOpen);
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => setMenuOpen(false), [pathname]);
  useFocusOnView(pathname);
  useEffect(clearErrors, [pathname]);
  const [dark, setDark] = useState(isDark);
  const set = useSetSession();
  const actions = useMemo<Actions>(
    () => ({
      toggleTheme: () => {
        setTheme(isDark() ? 'light' : 'dark');
        setDark(isDark());
      },
      endSession: () =>
        attempt(async () => {
          set(await signOut());
          navigate('/');
        }),
      enter: (id) =>
        whenLeft(
          () =>
            void attempt(async () => {
              set(await enterAccount(id));
              navigate('/');
            }),
        ),
    }),
    [set],
  );

  return (
    <div class={found?.isWorkbench ? 'shell workbench' : 'shell'}>
      <a class="skip" href="#view" onClick={skip}>
        Skip to content
      </a>
      <aside class={isMenuOpen ? 'sidebar is-open' : 'sidebar'}>
        <div class="sidebar-head">
          <a class="brand" href="/" aria-label="Platen, home" title={found?.isWorkbench ? 'Home' : undefined}>
            <Mark /> <span>Platen</span>
          </a>
          <span class="menu-toggle">
            <Button
              kind="quiet"
              icon={isMenuOpen ? 'close' : 'menu'}
              aria-label="Menu"
              aria-expanded={isMenuOpen}
              onClick={() => setMenuOpen(!isMenuOpen)}
            />
          </span>
        </div>
        <div class="sidebar-body">
          <button
            type="button"
            class="palette-button"
            title={`Search (${modKey}K)`}
            onClick={() => setPaletteOpen(true)}
          >
            <Icon name="search" />
            <span>Search</span>
            <kbd>{modKey}K</kbd>
          </button>
          <nav aria-label="Main">
            {navigationOf(session).map(({ label, entries }) => (
              <div class="nav-group" key={label}>
                <h2>{label}</h2>
                <ul>
                  {entries.map(({ url, label: text, icon }) => (
                    <li key={url}>
                      <a
                        href={url}
                        title={found?.isWorkbench ? text : undefined}
                        aria-current={found?.nav === url ? 'page' : undefined}
                      >
                        <Icon name={icon} />
                        <span>{text}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <AccountCorner session={session} dark={dark} actions={actions} />
        </div>
      </aside>
      <main id="view" class="view" tabIndex={-1}>
        <CurrentView key={found?.nav ?? ''} {...view} params={params} />
      </main>
      {isPaletteOpen && (
        <Palette
          session={session}
          commands={commandsOf(session, dark, actions)}
          onClose={() => setPaletteOpen(false)}
        />
      )}
    </div>
  );
}

/** The actions that are available in every view. */
interface Actions {
  toggleTheme: () => void;
  endSession: () => Promise<void>;
  /** Continues in another account of the person. */
  enter: (accountId: string) => void;
}

function commandsOf(session: Session, dark: boolean, { toggleTheme, endSession, enter }: Actions): Command[] {
  const commands: Omit<Command, 'group'>[] = [
    {
      id: 'theme',
      label: dark ? 'Use the light theme' : 'Use the dark theme',
      icon: dark ? 'sun' : 'moon',
      run: toggleTheme,
    },
    { id: 'sign-out', label: 'Sign out', icon: 'out', run: () => void endSession() },
    ...session.accounts
      .filter(({ id }) => id !== session.account.id)
      .map(({ id, email }) => ({
        id: `account ${id}`,
        label: `Work in the account ${email}`,
        icon: 'account' as const,
        run: () => enter(id),
      })),
  ];
  if (session.service.plugins.includes('templates') && may(session, 'editor'))
    commands.unshift(
      { id: 'new', label: 'New template', icon: 'plus', run: () => navigate('/studio/templates/new') },
      {
        id: 'starters',
        label: 'New template from a starter',
        icon: 'template',
        run: () => navigate('/studio/templates?starters'),
      },
    );
  return commands.map((command) => ({ ...command, group: 'Command' }));
}

/**
 * Moves the focus to the new view if the focused element was removed with the previous view, so that keyboard
 * users continue there.
 */
function useFocusOnView(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const timer = setTimeout(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body)
        document.getElementById('view')?.focus({ preventScroll: true });
    }, 100);
    return () => clearTimeout(timer);
  }, [pathname]);
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('view')?.focus();
}

const loadedViews = new Map<ViewEntry, ComponentType<ViewProps>>();

function CurrentView({ entry, refused, params }: FoundView & { params: string[] }) {
  const [, update] = useState(0);
  const [failure, setFailure] = useState<{ entry: ViewEntry; error: unknown }>();
  const View = entry && loadedViews.get(entry);
  const load = () => {
    if (!entry || loadedViews.has(entry)) return;
    setFailure(undefined);
    const show = (view: ComponentType<ViewProps>) => {
      loadedViews.set(entry, view);
      update((count) => count + 1);
    };
    entry.load().then(show, (error: unknown) => setFailure({ entry, error }));
  };
  useEffect(load, [entry]);
  if (refused) return <RefusedView view={refused} />;
  if (!entry)
    return (
      <div class="page">
        <ViewHead title="View not found" text="There is no view at this address." />
        <p>
          <a href="/">Go to the overview</a>
        </p>
      </div>
    );
  if (failure?.entry === entry) return <Failure error={failure.error} retry={load} />;
  return View ? <View params={params} key={params.join('/')} /> : null;
}

/** Renders the reason why a person does not see a view. */
function RefusedView({ view: { needs } }: { view: ViewEntry }) {
  const { role, account } = useSession();
  return (
    <div class="page">
      <ViewHead
        title="Not available to you"
        text={
          needs === 'operator'
            ? 'Only the operators of this server see this view.'
            : `This view needs the role “${needs}”. Your role in the account ${account.email} is “${role}”.`
        }
      />
      <p>
        <a href="/">Go to the overview</a>
      </p>
    </div>
  );
}

function AccountCorner(props: { session: Session; dark: boolean; actions: Actions }) {
  const { dark, actions } = props;
  const { account, accounts, person, role, usage } = props.session;
  const [, update] = useState(0);
  const isShared = person.email !== account.email || role !== 'owner';
  return (
    <div class="corner">
      <div class="corner-text">
        {accounts.length > 1 ? (
          <Select
            label="Account"
            isBare
            value={account.id}
            choices={accounts.map(({ id, email }) => [id, email] as const)}
            onValue={(id) => {
              actions.enter(id);
              // The choice shows the current account until the other one is entered.
              update((count) => count + 1);
            }}
          />
        ) : (
          <span class="corner-email" title={account.email}>
            {account.email}
          </span>
        )}
        <span class="corner-plan">
          {account.plan} plan{usage.limit !== null && `, ${usage.used} of ${usage.limit} PDFs`}
        </span>
        {isShared && (
          <span class="corner-person" title={person.email}>
            {capitalise(role)}: {person.email}
          </span>
        )}
      </div>
      <div class="corner-actions">
        <Button
          kind="quiet"
          icon={dark ? 'sun' : 'moon'}
          aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
          onClick={actions.toggleTheme}
        />
        <a
          class="button quiet only-icon"
          href="/docs"
          target="_blank"
          rel="noopener"
          aria-label="Documentation"
          title="Documentation"
        >
          <Icon name="book" />
        </a>
        <Button kind="quiet" icon="out" aria-label="Sign out" onClick={() => void actions.endSession()} />
      </div>
    </div>
  );
}
