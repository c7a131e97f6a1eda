import { Constructed, Integer, Primitive, Sequence, type BaseBlock } from 'asn1js';
import { Asn1Fault, decodeAsn1 } from '../asn1/asn1.ts';

/** The signers of a CMS signature, as far as PDF/A limits them. */
export interface Signers {
  /** The number of structures `SignerInfo`. */
  count: number;
  /** Whether the signature includes the certificate of its first signer. */
  hasCertificate: boolean;
}

/**
 * The number of the context-specific tag of the content, of the certificates, and of the key identifier of a
 * signer.
 */
const TAG = 0;
const CONTEXT_SPECIFIC = 3;

/**
 * Reads the signers of a CMS signature (RFC 5652 5.1), which may be followed by padding. Verifies nothing.
 * Does not need `pkijs`, which takes longer to load than the rest of the check of PDF/A.
 * @returns `undefined` if the bytes are not a CMS signature
 */
export function readSigners(bytes: Uint8Array): Signers | undefined {
  try {
    return decodeAsn1(bytes, signersOf).value;
  } catch (error) {
    if (error instanceof Asn1Fault) return undefined;
    throw error;
  }
}

function signersOf(contentInfo: BaseBlock): Signers {
  const [, wrapper] = childrenOf(contentInfo);
  const [data] = childrenOf(wrapper);
  const parts = childrenOf(data);
  const signers = childrenOf(parts.at(-1));
  const certificates = parts.slice(3).find(isTagged);
  const [signer] = signers;
  return {
    count: signers.length,
    hasCertificate:
      signer !== undefined &&
      certificates !== undefined &&
      childrenOf(certificates).some((each) => identifies(signer, each)),
  };
}

/** Tells whether a signer names a certificate: by its issuer and serial number, or by its key identifier. */
function identifies(signer: BaseBlock, certificate: BaseBlock): boolean {
  if (!(certificate instanceof Sequence)) return false;
  const [, identifier] = childrenOf(signer);
  if (identifier instanceof Primitive && isTagged(identifier)) {
    const key = identifier.valueBlock.valueHexView;
    return key.length > 0 && Buffer.from(certificate.valueBeforeDecodeView).includes(key);
  }
  const [issuer, serial] = childrenOf(identifier);
  const [body] = childrenOf(certificate);
  const fields = childrenOf(body);
  const at = fields.findIndex((field) => field instanceof Integer);
  return areEqual(fields[at], serial) && areEqual(fields[at + 2], issuer);
}

function isTagged({ idBlock: { tagClass, tagNumber } }: BaseBlock): boolean {
  return tagClass === CONTEXT_SPECIFIC && tagNumber === TAG;
}

/** Compares the encodings of values. */
function areEqual(a: BaseBlock | undefined, b: BaseBlock | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    Buffer.compare(a.valueBeforeDecodeView, b.valueBeforeDecodeView) === 0
  );
}

/** Returns the values in a constructed value. @throws {Asn1Fault} for another value */
function childrenOf(value: BaseBlock | undefined): BaseBlock[] {
  if (!(value instanceof Constructed)) throw new Asn1Fault('is not a CMS signature');
  return value.valueBlock.value;
}
