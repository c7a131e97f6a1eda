import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import {
  AppError,
  DuplicateKeyError,
  invalid,
  messageOf,
  newId,
  type Collection,
  type Log,
} from '../../../src/plugin.ts';
import type { Passkey } from '../collections.ts';
import { isSecureOrigin } from '../sessions/origin.ts';
import type { Ceremonies } from './ceremonies.ts';

const NAME = 'Platen';
const MAX_PASSKEYS = 20;

/** A ceremony and the options of `navigator.credentials.create` or `get`. */
export interface Started<Options> {
  ceremony: string;
  options: Options;
}

/** A verified passkey that is not stored yet. */
export type NewPasskey = Omit<Passkey, 'accountId'>;

/**
 * Registers passkeys and signs in with them. A passkey belongs to the host name at which it was registered.
 */
export interface Passkeys {
  /**
   * Starts the registration of a passkey for a person. `userId` is `null` if redeeming a link will determine
   * the person.
   */
  beginRegistration(
    origin: string,
    owner: { subject: string; email: string; userId: string | null },
  ): Promise<Started<PublicKeyCredentialCreationOptionsJSON>>;
  /** Verifies a registration. @throws {AppError} VALIDATION_ERROR; CONFLICT at an origin without passkeys */
  verifyRegistration(
    origin: string,
    answer: { subject: string; ceremony: string; response: RegistrationResponseJSON; name: string },
  ): Promise<NewPasskey>;
  /**
   * Stores a verified passkey.
   * @throws {AppError} CONFLICT when the passkey is already registered or the person has 20 passkeys
   */
  add(userId: string, passkey: NewPasskey): Promise<Passkey>;
  beginSignIn(origin: string): Promise<Started<PublicKeyCredentialRequestOptionsJSON>>;
  /**
   * Verifies a sign-in and returns the person to whom the passkey belongs.
   * @throws {AppError} UNAUTHORIZED for an unknown passkey or a wrong signature; VALIDATION_ERROR for a stale
   * ceremony; CONFLICT at an origin without passkeys
   */
  signIn(
    origin: string,
    answer: { ceremony: string; response: AuthenticationResponseJSON },
  ): Promise<{ userId: string }>;
}

/**
 * Tells whether browsers offer passkeys at an origin, which must be secure and have a host name instead of an
 * IP address.
 */
export function offersPasskeys(origin: string): boolean {
  const { hostname } = new URL(origin);
  return isSecureOrigin(origin) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}

/** Creates the service that registers passkeys in a collection and signs in with them. */
export function createPasskeys({
  passkeys,
  ceremonies,
  log,
}: {
  passkeys: Collection<Passkey>;
  ceremonies: Ceremonies;
  log: Log;
}): Passkeys {
  // The library is loaded on first use, because most processes never need it.
  const library = () => import('@simplewebauthn/server');

  function hostOf(origin: string): string {
    if (!offersPasskeys(origin))
      throw new AppError(
        'CONFLICT',
        'passkeys need https, or localhost, and a host name instead of an IP address; use a password here',
      );
    return new URL(origin).hostname;
  }

  return {
    async beginRegistration(origin, { subject, email, userId }) {
      const rpID = hostOf(origin);
      const { generateRegistrationOptions } = await library();
      const known = userId === null ? [] : await passkeys.find({ where: { accountId: userId } });
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID,
        userName: email,
        userDisplayName: email,
        userID: new TextEncoder().encode(userId ?? subject),
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const { challenge } = options;
      return { ceremony: ceremonies.begin({ kind: 'registration', subject, challenge }), options };
    },

    async verifyRegistration(origin, { subject, ceremony, response, name }) {
      const expectedRPID = hostOf(origin);
      const expectedChallenge = ceremonies.read(ceremony, { kind: 'registration', subject });
      const { verifyRegistrationResponse } = await library();
      await requirePlainAttestation(response);
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID,
        requireUserVerification: true,
      }).catch((error: unknown) => {
        log.info({ reason: messageOf(error) }, 'the registration of a passkey was rejected');
        return { verified: false, registrationInfo: undefined };
      });
      if (!verified || !registrationInfo) throw unusable();
      await ceremonies.finish(ceremony);
      const { id, publicKey, counter } = registrationInfo.credential;
      return {
        id: newId('pk_'),
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        name,
        createdAt: Date.now(),
        lastUsedAt: null,
      };
    },

    async add(userId, passkey) {
      if ((await passkeys.count({ accountId: userId })) >= MAX_PASSKEYS)
        throw new AppError('CONFLICT', `you have ${MAX_PASSKEYS} passkeys; remove one first`);
      const added = { ...passkey, accountId: userId };
      try {
        await passkeys.insert(added);
      } catch (error) {
        if (error instanceof DuplicateKeyError)
          throw new AppError('CONFLICT', 'this passkey is registered already');
        throw error;
      }
      return added;
    },

    async beginSignIn(origin) {
      const rpID = hostOf(origin);
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
      const { challenge } = options;
      return { ceremony: ceremonies.begin({ kind: 'sign-in', subject: '', challenge }), options };
    },

    async signIn(origin, { ceremony, response }) {
      const expectedRPID = hostOf(origin);
      const expectedChallenge = ceremonies.read(ceremony, { kind: 'sign-in', subject: '' });
      const [passkey] = await passkeys.find({ where: { credentialId: response.id }, limit: 1 });
      if (!passkey) throw rejected();
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
        requireUserVerification: true,
      }).catch((error: unknown) => {
        log.info({ reason: messageOf(error) }, 'the sign-in with a passkey was rejected');
        return { verified: false, authenticationInfo: undefined };
      });
      if (!verified || !authenticationInfo) throw rejected();
      await ceremonies.finish(ceremony);
      await passkeys.update(
        { id: passkey.id },
        { counter: authenticationInfo.newCounter, lastUsedAt: Date.now() },
      );
      return { userId: passkey.accountId };
    },
  };
}

/**
 * Rejects attestations with certificates, which the studio does not request: the library would fetch their
 * revocation lists from addresses of the sender's choice.
 */
async function requirePlainAttestation({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
    );
    const format = attestation.get('fmt');
    if (format === 'none') return;
    if (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined) return;
  } catch {
    // The value is not an attestation object.
  }
  throw unusable();
}

function unusable(): AppError {
  return invalid('response', 'the passkey could not be verified; start again');
}

function rejected(): AppError {
  return new AppError('UNAUTHORIZED', 'this passkey is not registered here');
}
