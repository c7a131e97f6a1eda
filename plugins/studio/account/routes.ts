import { AppError, invalid, yieldToEventLoop } from '../../../src/plugin.ts';
import { toIso } from '../present.ts';
import { DeleteAccountBody, MAX_BODY_BYTES, UsageQuery } from '../schemas.ts';
import { expiredCookie, expiredDeviceCookie } from '../sessions/cookie.ts';
import { requirePerson } from '../sign-in/confirmation.ts';
import type { Studio } from '../studio.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

/** Mounts the routes for the usage, webhooks and data of an account. */
export function mountAccountRoutes(studio: Studio): void {
  const { administration, deliveries, members, quota, routes, scheme, users } = studio;
  const { webhookSecrets } = administration;
  /** The accounts that are being exported by this process. */
  const exporting = new Set<string>();

  async function presentSecret(accountId: string) {
    const [secret] = await webhookSecrets.read(accountId);
    return { secret, previous_until: toIso(await webhookSecrets.previousUntil(accountId)) };
  }

  routes.get(
    '/studio/api/webhook-secret',
    {
      scope: 'session:admin',
      audit: 'webhook_secret.read',
      ...hidden,
      confirmation: 'required',
      summary: 'Read the secret that signs webhooks',
    },
    async ({ request, headers }) => {
      headers.set('Cache-Control', 'no-store');
      return presentSecret(scheme.signedIn(request).account.id);
    },
  );

  routes.post(
    '/studio/api/webhook-secret/rotate',
    {
      scope: 'session:admin',
      audit: 'webhook_secret.rotated',
      ...hidden,
      confirmation: 'required',
      summary: 'Replace the secret that signs webhooks',
    },
    async ({ request, headers }) => {
      const { account } = scheme.signedIn(request);
      headers.set('Cache-Control', 'no-store');
      await webhookSecrets.rotate(account.id);
      return presentSecret(account.id);
    },
  );

  routes.get(
    '/studio/api/deliveries/:id',
    {
      scope: 'session:admin',
      ...hidden,
      confirmation: { unneeded: 'reads a document of the account, as the API does' },
      summary: 'Read a webhook delivery with its payload',
    },
    ({ request, params: { id } }) => deliveries.read(scheme.signedIn(request).account.id, id),
  );

  routes.get(
    '/studio/api/usage',
    {
      scope: 'session:viewer',
      ...hidden,
      confirmation: { unneeded: 'reads numbers' },
      summary: 'Read the usage of the last months, newest first',
      query: UsageQuery,
    },
    async ({ request, query: { months } }) => {
      const found = await quota.history(scheme.signedIn(request).account, months);
      return {
        data: found.map(({ month, used, byDay }) => ({ month, used, by_day: byDay })),
        has_more: false,
      };
    },
  );

  routes.get(
    '/studio/api/account/data',
    {
      scope: 'session:admin',
      ...hidden,
      confirmation: { unneeded: 'reads numbers' },
      summary: 'Count the data that the account stores',
    },
    async ({ request }) => ({
      data: await administration.countData(scheme.signedIn(request).account.id),
      has_more: false,
    }),
  );

  routes.get(
    '/studio/api/account/export',
    {
      scope: 'session:admin',
      ...hidden,
      confirmation: 'required',
      audit: 'account.exported',
      summary: 'Export everything that the account stores',
    },
    ({ request, signal }) => {
      const { account } = scheme.signedIn(request);
      if (exporting.has(account.id))
        throw new AppError('RATE_LIMITED', 'an export of this account is in progress', {
          retryAfterSeconds: 10,
        });
      exporting.add(account.id);
      const end = () => exporting.delete(account.id);
      const archive = onEnd(administration.exportData(account), end);
      signal.addEventListener('abort', end);
      const name = `platen-${new Date().toISOString().slice(0, 10)}.zip`;
      return new Response(archive, {
        headers: {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
        },
      });
    },
  );

  routes.post(
    '/studio/api/account/delete',
    {
      scope: 'session:owner',
      audit: 'account.erased',
      ...hidden,
      confirmation: { unneeded: 'asks for the password, or for a confirmed session without one' },
      summary: 'Delete the account and everything that it stores',
      body: DeleteAccountBody,
      response: { status: 204 },
    },
    async ({ request, address, headers, body: { email, password } }) => {
      const signedIn = scheme.signedIn(request);
      const { account, user } = signedIn;
      if (email.trim().toLowerCase() !== account.email)
        throw invalid('email', 'must be the email address of the account');
      await requirePerson(studio, signedIn, { password, address, path: 'password' });
      for (const { userId } of await members.list(account.id)) {
        const isOnlyHere = (await members.accountsOf(userId)).length === 1;
        const isOperator = isOnlyHere && (await users.get(userId))?.role === 'operator';
        if (isOperator && userId !== user.id)
          throw new AppError(
            'CONFLICT',
            'an operator is a member of this account only; remove the account with: platen accounts delete',
          );
        if (isOperator && (await users.countOperators()) === 1)
          throw new AppError(
            'CONFLICT',
            'the last operator cannot be deleted here; use: platen accounts delete',
          );
      }
      await administration.erase(account.id);
      headers.set('Set-Cookie', expiredCookie(request, studio));
      headers.append('Set-Cookie', expiredDeviceCookie(request, studio));
    },
  );
}

/**
 * Returns a stream with the same content, and calls `end` when the content ends or fails, or the stream is
 * canceled.
 */
function onEnd(source: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        await yieldToEventLoop();
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}
