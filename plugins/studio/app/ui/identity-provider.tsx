import { useSessionState } from '../data/session.ts';
import { LinkButton } from './controls.tsx';

const PARAMETER = 'sign_in_error';

/** The texts for the reasons for which a sign-in at the identity provider fails. */
const REASONS: Readonly<Record<string, string>> = {
  denied: 'You declined the sign-in.',
  rejected: 'The response of the identity provider cannot be trusted. Sign in again.',
  refused: 'The identity provider refused this server. Tell the operator of this server.',
  other_person: 'You signed in at the identity provider as another person. Nothing was changed.',
  unavailable: 'The identity provider does not respond. Try again later.',
  unverified: 'The identity provider has not verified your email address.',
  domain: 'Email addresses of your domain may not sign in here.',
  no_account: 'You are not a member of an account. Ask one of its members for an invitation.',
  invitation: 'The invitation was used or revoked, or has expired. Ask for a new one.',
  other_subject:
    'Another user of the identity provider has signed in with this address. Ask the operator of this server.',
  suspended: 'This account is suspended. Ask the operator of this server.',
};

/** Returns the reason for which the last sign-in at the identity provider failed, from the URL of the page. */
export function providerError(search = location.search): string | undefined {
  const reason = new URLSearchParams(search).get(PARAMETER);
  if (reason === null) return undefined;
  return Object.hasOwn(REASONS, reason) ? REASONS[reason] : 'The sign-in failed. Sign in again.';
}

/** Returns the path of the page without the reason of a failed sign-in. */
export function pathWithoutError(): string {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.delete(PARAMETER);
  const query = searchParams.toString();
  return pathname + (query && `?${query}`);
}

/**
 * Renders the link that signs in at the identity provider, if the service has one: to accept an invitation,
 * or, with `confirm`, to confirm the identity of the person who is signed in.
 */
export function ProviderLink({
  invitation,
  confirm = false,
}: {
  invitation?: string | undefined;
  confirm?: boolean;
}) {
  const name = useSessionState()?.service.identity_provider;
  if (!name) return null;
  const path = pathWithoutError();
  const parameters = new URLSearchParams({
    return_to: /^\/studio(?!\/link\/)/.test(path) ? path : '/studio',
    ...(invitation !== undefined && { invitation }),
    ...(confirm && { confirm: 'true' }),
  });
  return (
    <LinkButton size={confirm ? undefined : 'large'} href={`/studio/api/oidc/start?${parameters.toString()}`}>
      {confirm ? `Sign in with ${name} again` : `Sign in with ${name}`}
    </LinkButton>
  );
}
