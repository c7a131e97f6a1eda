import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

/** A value that {@link encodeCbor} encodes. */
type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** Encodes a value as CBOR (RFC 8949), as far as authenticators need it. */
function encodeCbor(value: Cbor): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, each]) => [encodeCbor(key), encodeCbor(each)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** The differences between a response and that of an honest browser. */
export interface Deviation {
  origin?: string;
  challenge?: string;
  unverified?: boolean;
  /** The attestation statement. */
  attestation?: { format: string; statement: Map<string, Cbor> };
}

/** A passkey that a later {@link Authenticator} continues. */
export interface SavedPasskey {
  /** In base64url. */
  id: string;
  key: JsonWebKey;
  counter: number;
}

/**
 * A passkey in software. Its methods return the responses that a browser sends (Web Authentication, level 3).
 */
export class Authenticator {
  readonly id: Buffer;
  readonly #key: KeyObject;
  readonly #x: Buffer;
  readonly #y: Buffer;
  readonly #origin: string;
  #counter: number;

  constructor(origin: string, saved?: SavedPasskey) {
    const key =
      saved?.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const { x = '', y = '' } = key;
    this.id = saved ? Buffer.from(saved.id, 'base64url') : randomBytes(32);
    this.#counter = saved?.counter ?? 0;
    this.#key = createPrivateKey({ key, format: 'jwk' });
    this.#x = Buffer.from(x, 'base64url');
    this.#y = Buffer.from(y, 'base64url');
    this.#origin = origin;
  }

  register(options: { challenge: string; rp: { id?: string } }, deviation: Deviation = {}) {
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, this.#x],
      [-3, this.#y],
    ]);
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, encodeCbor(key)]);
    const { format = 'none', statement = new Map<string, Cbor>() } = deviation.attestation ?? {};
    const attestation = new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', this.#data(options.rp.id ?? '', deviation, credential)],
    ]);
    return this.#credential({
      clientDataJSON: base64(this.#clientData('webauthn.create', options.challenge, deviation)),
      attestationObject: base64(encodeCbor(attestation)),
    });
  }

  signIn(options: { challenge: string; rpId?: string }, deviation: Deviation = {}) {
    this.#counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const data = this.#data(options.rpId ?? '', deviation);
    return this.#credential({
      clientDataJSON: base64(clientData),
      authenticatorData: base64(data),
      signature: base64(sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key)),
    });
  }

  /** Returns the passkey with its private key. */
  save(): SavedPasskey {
    return { id: base64(this.id), key: this.#key.export({ format: 'jwk' }), counter: this.#counter };
  }

  /** Resets the signature counter to an earlier count, as a copy of the authenticator would have. */
  rewind(): void {
    this.#counter = 0;
  }

  #credential<Response>(response: Response) {
    const id = base64(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.#origin } = deviation;
    return Buffer.from(JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin }));
  }

  #data(rpId: string, { unverified = false }: Deviation, credential?: Buffer): Buffer {
    const flags = USER_PRESENT | (unverified ? 0 : USER_VERIFIED) | (credential ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)]);
  }
}
