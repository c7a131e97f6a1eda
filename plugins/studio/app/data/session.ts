import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { get, post } from './api.ts';
import { forgetImages } from './template-images.ts';
import { forgetRequests } from './own-requests.ts';
import { forgetResources } from './resource.ts';
import { may, type Permission } from './roles.ts';
import type { Session, SessionState } from './types.ts';

/** Provides the session and a function that replaces it. */
export const SessionContext = createContext<
  { state: SessionState; set: (state: SessionState) => void } | undefined
>(undefined);

/** Returns the signed-in session. @throws {Error} in a view without a session */
export function useSession(): Session {
  const state = useContext(SessionContext)?.state;
  if (!state?.signed_in) throw new Error('the view needs a session');
  return state;
}

/** Returns the state of the session in a view that also works without one. */
export function useSessionState(): SessionState | undefined {
  return useContext(SessionContext)?.state;
}

/** Returns a function that tells whether the person may see or do what needs a permission. */
export function useMay(): (needed: Permission) => boolean {
  const session = useSession();
  return (needed) => may(session, needed);
}

/** Returns the function that replaces the session. */
export function useSetSession(): (state: SessionState) => void {
  const context = useContext(SessionContext);
  if (!context) throw new Error('the component is outside of the session context');
  return context.set;
}

/** Reads the session, which also extends it. */
export function readSession(): Promise<SessionState> {
  return get<SessionState>('/studio/api/session');
}

/** Forgets the data that the session has loaded, before another person or account follows. */
export async function forgetData(): Promise<void> {
  forgetResources();
  forgetRequests();
  await forgetImages();
}

/** Ends the session and forgets its data. Returns the state without a session. */
export async function signOut(): Promise<SessionState> {
  await post('/studio/api/sign-out');
  await forgetData();
  return readSession();
}

/** Continues the session in another account of the person, and forgets the data of the former account. */
export async function enterAccount(id: string): Promise<SessionState> {
  const session = await post<Session>('/studio/api/session/account', { account_id: id });
  await forgetData();
  tellOtherPages();
  return session;
}

const CHANNEL = 'platen-account';

/** Tells the other pages of this browser, which share the session, that the account has changed. */
function tellOtherPages(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

/** Calls `listener` when another page of this browser changes the account. Returns the end of it. */
export function onAccountChanged(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
