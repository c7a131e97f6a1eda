import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { signOut, useSetSession } from './data/session.ts';
import { isDark, setTheme } from './data/theme.ts';
import type { Session } from './data/types.ts';
import { navigate, useLocation } from './router.ts';
import { attempt } from './ui/attempt.ts';
import { Button } from './ui/controls.tsx';
import { Icon, Mark } from './ui/icon.tsx';
import { Palette } from './ui/palette.tsx';
import { Failure, ViewHead } from './ui/states.tsx';
import { navigationOf, views, type ViewEntry, type ViewProps } from './views.ts';

const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl ';

/** Renders the navigation and the current view. */
export function Shell({ session }: { session: Session }) {
  const { pathname } = useLocation();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const found = views.find(({ path }) => path.test(pathname));
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

  return (
    <div class={found?.isWorkbench ? 'shell workbench' : 'shell'}>
      <a class="skip" href="#view" onClick={skip}>
        Skip to content
      </a>
      <aside class={isMenuOpen ? 'sidebar is-open' : 'sidebar'}>
        <div class="sidebar-head">
          <a class="brand" href="/" aria-label="Platen, home">
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
          <button type="button" class="palette-button" onClick={() => setPaletteOpen(true)}>
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
          <AccountCorner session={session} />
        </div>
      </aside>
      <main id="view" class="view" tabIndex={-1}>
        <CurrentView key={found?.nav ?? ''} entry={found} params={params} />
      </main>
      {isPaletteOpen && <Palette session={session} onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('view')?.focus();
}

const loadedViews = new Map<ViewEntry, ComponentType<ViewProps>>();

function CurrentView({ entry, params }: { entry: ViewEntry | undefined; params: string[] }) {
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
  if (!entry)
    return (
      <div class="page">
        <ViewHead title="Page not found" text="There is no view at this address." />
        <p>
          <a href="/">Go to the start page</a>
        </p>
      </div>
    );
  if (failure?.entry === entry) return <Failure error={failure.error} retry={load} />;
  return View ? <View params={params} key={params.join('/')} /> : null;
}

function AccountCorner({ session }: { session: Session }) {
  const set = useSetSession();
  const [dark, setDark] = useState(isDark);
  const { account, usage } = session;
  const leave = () =>
    attempt(async () => {
      set(await signOut());
      navigate('/');
    });
  return (
    <div class="corner">
      <div class="corner-text">
        <span class="corner-email" title={account.email}>
          {account.email}
        </span>
        <span class="corner-plan">
          {account.plan} plan{usage.limit !== null && `, ${usage.used} of ${usage.limit} PDFs`}
        </span>
      </div>
      <div class="corner-actions">
        <Button
          kind="quiet"
          icon={dark ? 'sun' : 'moon'}
          aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
          onClick={() => {
            const next = dark ? 'light' : 'dark';
            setTheme(next);
            setDark(!dark);
          }}
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
        <Button kind="quiet" icon="out" aria-label="Sign out" onClick={() => void leave()} />
      </div>
    </div>
  );
}
