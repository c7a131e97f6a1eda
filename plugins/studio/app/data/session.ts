import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { get, post } from './api.ts';
import { forgetImages } from './template-images.ts';
import { forgetRequests } from './own-requests.ts';
import { forgetResources } from './resource.ts';
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

/** Ends the session and forgets the data that it has loaded. Returns the state without a session. */
export async function signOut(): Promise<SessionState> {
  await post('/studio/api/sign-out');
  forgetResources();
  forgetRequests();
  await forgetImages();
  return readSession();
}
