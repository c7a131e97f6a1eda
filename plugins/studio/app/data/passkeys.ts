/** The options of a ceremony, as the service sends them. */
export interface PasskeyCeremony {
  ceremony: string;
  options: PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON;
}

/** Creates a passkey. Returns the body for the service. @throws {Error} when the person cancels */
export async function createPasskey({
  ceremony,
  options,
}: PasskeyCeremony): Promise<{ ceremony: string; response: unknown }> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch(explain);
  return { ceremony, response: toJson(credential) };
}

/** Signs with a passkey. Returns the body for the service. @throws {Error} when the person cancels */
export async function signWithPasskey({
  ceremony,
  options,
}: PasskeyCeremony): Promise<{ ceremony: string; response: unknown }> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch(explain);
  return { ceremony, response: toJson(credential) };
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.');
  return credential.toJSON();
}

function explain(error: unknown): never {
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    throw new Error('The passkey was not used: the request was canceled or timed out.');
  if (error instanceof DOMException && error.name === 'InvalidStateError')
    throw new Error('This device already has a passkey for this account.');
  throw error instanceof Error ? error : new Error(String(error));
}

/** Tells whether this browser can create and use passkeys. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;
}
