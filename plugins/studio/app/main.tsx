import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { onRoleRefused, onSignedOut } from './data/api.ts';
import { forgetData, onAccountChanged, readSession, SessionContext } from './data/session.ts';
import { applyTheme } from './data/theme.ts';
import type { SessionState } from './data/types.ts';
import { interceptLinks, navigate, useLocation, whenLeft } from './router.ts';
import { pathWithoutError, providerError } from './ui/identity-provider.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { lazily } from './ui/lazily.tsx';
import { Failure } from './ui/states.tsx';
import { Shell } from './shell.tsx';
import { toast, Toasts } from './ui/toast.tsx';

/** The interval at which a visible page extends its session. */
const EXTEND_MS = 600_000;
/** The shortest time between two extensions, for pages that often get the focus. */
const MIN_EXTEND_MS = 60_000;

const RedeemLink = lazily(async () => (await import('./screens/redeem-link.tsx')).RedeemLink);

function App() {
  const [state, set] = useState<SessionState>();
  const [error, setError] = useState<unknown>();
  const { pathname } = useLocation();
  const latestState = useRef(state);
  latestState.current = state;
  const load = () => {
    setError(undefined);
    readSession().then(set, setError);
  };
  useEffect(load, []);
  useEffect(() => {
    const follow = (next: SessionState) => {
      const before = latestState.current;
      if (before?.signed_in && next.signed_in && before.account.id !== next.account.id)
        return whenLeft(() => {
          void forgetData();
          set(next);
          navigate('/', { replace: true });
        });
      set((current) =>
        current?.signed_in && !next.signed_in ? { ...next, ended: next.ended ?? 'session' } : next,
      );
    };
    const refresh = () => void readSession().then(follow, () => undefined);
    onSignedOut(() => {
      set((current) =>
        current?.signed_in ? { signed_in: false, service: current.service, ended: 'session' } : current,
      );
      // The response contains the reason. It may arrive after a new sign-in, which it must not undo.
      readSession().then(
        (next) =>
          set((current) =>
            current?.signed_in === false && !next.signed_in
              ? { ...current, ended: next.ended ?? 'session' }
              : current,
          ),
        () => undefined,
      );
    });
    // The role has changed, or was removed, since the session was read.
    onRoleRefused(refresh);
    let latest = Date.now();
    const extend = () => {
      if (document.visibilityState !== 'visible' || Date.now() - latest < MIN_EXTEND_MS) return;
      latest = Date.now();
      refresh();
    };
    const ignoreAccount = onAccountChanged(refresh);
    window.addEventListener('focus', extend);
    const timer = setInterval(extend, EXTEND_MS);
    return () => {
      ignoreAccount();
      window.removeEventListener('focus', extend);
      clearInterval(timer);
    };
  }, []);
  const isSignedIn = state?.signed_in;
  useEffect(() => {
    const failure = isSignedIn ? providerError() : undefined;
    if (failure === undefined) return;
    toast(failure, { kind: 'error' });
    navigate(pathWithoutError(), { replace: true });
  }, [isSignedIn]);
  const context = useMemo(() => (state ? { state, set } : undefined), [state]);

  const token = /^\/studio\/link\/([^/]+)$/.exec(pathname)?.[1];
  if (error !== undefined && !state)
    return (
      <main class="gate">
        <Failure error={error} retry={load} />
      </main>
    );
  if (!state) return <div class="boot" role="status" aria-label="Loading" />;
  return (
    <SessionContext.Provider value={context}>
      {token ? (
        <RedeemLink token={token} />
      ) : state.signed_in ? (
        // Another account begins with new views.
        <Shell key={state.account.id} session={state} />
      ) : (
        <SignIn ended={state.ended} />
      )}
    </SessionContext.Provider>
  );
}

applyTheme();
interceptLinks();
const root = document.getElementById('app');
if (root)
  render(
    <>
      <App />
      <Toasts />
    </>,
    root,
  );
