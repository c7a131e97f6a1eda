/** The signers of a CMS signature, as far as PDF/A limits them. */
export interface Signers {
  /** The number of structures `SignerInfo`. */
  count: number;
  /** Whether the signature includes the certificate of its first signer. */
  hasCertificate: boolean;
}

/** A value in BER: its tag, and the offsets of its start, of its content and of the bytes after both. */
interface Value {
  tag: number;
  start: number;
  content: number;
  contentEnd: number;
  end: number;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const EXPLICIT = 0xa0;
const CERTIFICATES = 0xa0;
const KEY_IDENTIFIER = 0x80;
const MAX_DEPTH = 32;

/** Thrown for bytes that are not BER. */
class BerFault extends Error {
  override name = 'BerFault';
}

/**
 * Reads the signers of a CMS signature (RFC 5652 5.1), which may be followed by padding. Verifies nothing. Does not need the libraries that
 * verification needs: they take longer to load than the rest of the check of PDF/A.
 * @returns `undefined` if the bytes are not a CMS signature
 */
export function readSigners(bytes: Uint8Array): Signers | undefined {
  try {
    return new SignerReader(bytes).read();
  } catch (error) {
    if (error instanceof BerFault) return undefined;
    throw error;
  }
}

class SignerReader {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  read(): Signers {
    const [, wrapper] = this.#children(this.#value(0, this.#bytes.length), SEQUENCE);
    const [data] = this.#children(wrapper, EXPLICIT);
    const parts = this.#children(data, SEQUENCE);
    const signers = this.#children(parts.at(-1), SET);
    const certificates = parts.slice(3).find(({ tag }) => tag === CERTIFICATES);
    const [signer] = signers;
    return {
      count: signers.length,
      hasCertificate:
        signer !== undefined &&
        certificates !== undefined &&
        this.#children(certificates, CERTIFICATES).some((each) => this.#identifies(signer, each)),
    };
  }

  /** Tells whether a signer names a certificate: by its issuer and serial number, or by its key identifier. */
  #identifies(signer: Value, certificate: Value): boolean {
    if (certificate.tag !== SEQUENCE) return false;
    const [, identifier] = this.#children(signer, SEQUENCE);
    if (identifier?.tag === KEY_IDENTIFIER) {
      const key = this.#bytes.subarray(identifier.content, identifier.contentEnd);
      return key.length > 0 && this.#bytes.subarray(certificate.start, certificate.end).includes(key);
    }
    const [issuer, serial] = this.#children(identifier, SEQUENCE);
    const [body] = this.#children(certificate, SEQUENCE);
    const fields = this.#children(body, SEQUENCE);
    const at = fields.findIndex(({ tag }) => tag === INTEGER);
    return this.#areEqual(fields[at], serial) && this.#areEqual(fields[at + 2], issuer);
  }

  #areEqual(a: Value | undefined, b: Value | undefined): boolean {
    if (!a || !b) return false;
    return this.#bytes.subarray(a.start, a.end).equals(this.#bytes.subarray(b.start, b.end));
  }

  /** Reads the values in a value of the given tag. */
  #children(value: Value | undefined, tag: number): Value[] {
    if (value?.tag !== tag) throw new BerFault();
    const children: Value[] = [];
    for (let at = value.content; at < value.contentEnd; at = children.at(-1)?.end ?? value.contentEnd)
      children.push(this.#value(at, value.contentEnd));
    return children;
  }

  #value(start: number, limit: number, depth = 0): Value {
    const [tag, first] = [this.#bytes[start], this.#bytes[start + 1]];
    if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > MAX_DEPTH)
      throw new BerFault();
    let content = start + 2;
    let length = first;
    if (first === 0x80) {
      const contentEnd = this.#endOfContents(content, limit, depth);
      return { tag, start, content, contentEnd, end: contentEnd + 2 };
    }
    if (first > 0x80) {
      const size = first & 0x7f;
      if (size > 4 || content + size > limit) throw new BerFault();
      length = this.#bytes.readUIntBE(content, size);
      content += size;
    }
    const end = content + length;
    if (end > limit) throw new BerFault();
    return { tag, start, content, contentEnd: end, end };
  }

  /** Returns the offset of the two zero bytes that end a value of indefinite length. */
  #endOfContents(content: number, limit: number, depth: number): number {
    let at = content;
    while (this.#bytes[at] !== 0 || this.#bytes[at + 1] !== 0) {
      if (at >= limit) throw new BerFault();
      at = this.#value(at, limit, depth + 1).end;
    }
    return at;
  }
}
