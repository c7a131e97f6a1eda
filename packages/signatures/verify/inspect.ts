import { createHash } from 'node:crypto';
import { decodeDate, decodeText, PdfDocument, PdfError } from '@platen/pdf/objects';
import { NO_MATCH, type DigestName, type WeakDigestName } from '../asn1/algorithms.ts';
import { Asn1Fault } from '../asn1/asn1.ts';
import { readCoverage, type Coverage } from './byte-range.ts';
import { LaterRevisions } from './later-revisions.ts';
import type { LaterChanges } from './changes.ts';
import type { SignedRevision } from './pictures.ts';
import { checkCms, contentOf, readCms, weaknessOfCms, type CmsSignature } from '../cms/read-cms.ts';
import { hasSecurityStore, readSecurityStore, type SecurityStore } from '../security-store.ts';
import { listSignedFields, type SignedField } from './signature-fields.ts';
import { checkTimestamp, readTimestamp } from '../cms/timestamp.ts';

/**
 * The properties of a signature that depend only on the file: everything except whether its certificate can
 * be trusted.
 */
export interface InspectedSignature {
  field: string;
  kind: 'signature' | 'document_timestamp';
  /** Whether the signature has the form that PAdES requires (`ETSI.CAdES.detached`). */
  isPades: boolean;
  /** The DER of the signature, if it can be read. */
  cms: Uint8Array | undefined;
  /** Whether the covered bytes are unchanged since signing. */
  intact: boolean;
  coversWholeFile: boolean;
  /** The end of the covered bytes, or 0 if the byte ranges are not usable. */
  end: number;
  /** The time that the signer claims, in epoch milliseconds. */
  claimedAt: number | undefined;
  /** Whether the security store of the covered revision contains revocation data. */
  coversRevocation: boolean;
  later: LaterChanges;
  /** Faults as sentences. */
  faults: string[];
  /** Why the signature proves little although it is intact, as a sentence: it uses a weak algorithm. */
  weakness: string | undefined;
}

/** The signatures of a file and its security store. It can be sent between processes. */
export interface Inspection {
  signatures: InspectedSignature[];
  store: SecurityStore;
}

const MAX_SIGNATURES = 100;
const MAX_CMS_BYTES = 5_000_000;

/**
 * Checks the integrity of all signatures of a document: byte ranges, digests, signature values, and changes
 * after signing, in the structure of the file and in its pictures.
 * @throws {PdfError} if the document has too many signatures
 */
export async function inspectSignatures(document: PdfDocument): Promise<Inspection> {
  const { inspection, revisions } = inspectStructure(document);
  if (revisions.length === 0) return inspection;
  const { comparePictures } = await import('./pictures.ts');
  const faults = await comparePictures(document.file, revisions);
  for (const signature of inspection.signatures) {
    const fault = faults.get(signature.end);
    if (fault !== undefined && signature.later.changes === 'allowed')
      signature.later = { changes: 'not_allowed', faults: [fault] };
  }
  return inspection;
}

/**
 * Checks signatures like {@link inspectSignatures}, but without pictures. Also returns the revisions whose
 * pictures must be compared.
 * @throws {PdfError} if the document has too many signatures
 */
export function inspectStructure(document: PdfDocument): {
  inspection: Inspection;
  revisions: SignedRevision[];
} {
  const fields = listSignedFields(document);
  if (fields.length > MAX_SIGNATURES)
    throw new PdfError('too-complex', `has more than ${MAX_SIGNATURES} signatures`);
  const later = new LaterRevisions(
    document,
    fields.map((field) => ({ field, coverage: readCoverage(document, field) })),
  );
  const signatures = fields.map((field) => inspect(document, field, later));
  const inspection = {
    signatures: signatures.toSorted((a, b) => rankOf(a) - rankOf(b)),
    store: readSecurityStore(document),
  };
  return { inspection, revisions: later.allowed };
}

/** Ranks a signature by the end of the revision that it covers. Signatures without a revision come last. */
function rankOf({ end }: InspectedSignature): number {
  return end === 0 ? Number.MAX_SAFE_INTEGER : end;
}

function inspect(document: PdfDocument, signed: SignedField, later: LaterRevisions): InspectedSignature {
  const { name, signature } = signed;
  const kind = signature.name('Type') === 'DocTimeStamp' ? 'document_timestamp' : 'signature';
  const claimed = signature.string('M');
  const time = claimed && decodeDate(decodeText(claimed));
  const base: InspectedSignature = {
    field: name,
    kind,
    isPades: signature.name('SubFilter') === 'ETSI.CAdES.detached',
    cms: undefined,
    intact: false,
    coversWholeFile: false,
    end: 0,
    claimedAt: time === undefined || time === null ? undefined : Date.parse(time),
    coversRevocation: false,
    later: { changes: 'not_allowed', faults: [] },
    faults: [],
    weakness: undefined,
  };
  const coverage = later.coverageOf(signed);
  if ('fault' in coverage) return { ...base, faults: [`the signature ${coverage.fault}`] };
  const coversWholeFile = coverage.end === document.file.length;
  const checked = checkContents(coverage, kind, signature.name('SubFilter'));
  const revision = later.revisionAt(coverage.end);
  const title = `the ${kind === 'signature' ? 'signature' : 'timestamp'}`;
  return {
    ...base,
    coversWholeFile,
    end: coverage.end,
    cms: checked.cms,
    intact: checked.fault === undefined,
    faults: checked.fault === undefined ? [] : [`${title} ${checked.fault}`],
    weakness: checked.weakness === undefined ? undefined : `${title} ${checked.weakness}`,
    coversRevocation: revision !== undefined && hasSecurityStore(revision),
    later: later.changesAfter(signed, coverage.end),
  };
}

/** The formats of signatures (ISO 32000-2 table 260). */
const DIGEST_ONLY = 'adbe.pkcs7.sha1';
const SIGNATURE_FORMATS = ['adbe.pkcs7.detached', 'ETSI.CAdES.detached', DIGEST_ONLY];
const TIMESTAMP_FORMATS = ['ETSI.RFC3161'];
const WEAK_FORMAT = 'uses SHA-1, which is too weak';

interface CheckedContents {
  cms?: Uint8Array;
  fault?: string | undefined;
  weakness?: string | undefined;
}

function checkContents(
  coverage: Coverage,
  kind: InspectedSignature['kind'],
  format: string | undefined,
): CheckedContents {
  if (format === undefined) return { fault: 'does not name its format' };
  if (!(kind === 'signature' ? SIGNATURE_FORMATS : TIMESTAMP_FORMATS).includes(format))
    return {
      fault: `has the format ${format.slice(0, 100)}, which is not supported, so it cannot be checked`,
    };
  const { contents, parts } = coverage;
  const content = {
    digest(name: DigestName | WeakDigestName) {
      const hash = createHash(name);
      for (const part of parts) hash.update(part);
      return hash.digest();
    },
    bytes: () => Buffer.concat(parts),
  };
  try {
    if (contents.length > MAX_CMS_BYTES) throw new Asn1Fault('is too large');
    const { sizeBytes } = readCms(contents);
    if (contents.subarray(sizeBytes).some((byte) => byte !== 0))
      throw new Asn1Fault('is followed by other bytes');
    const der = Uint8Array.from(contents.subarray(0, sizeBytes));
    const cms = readCms(der);
    const weakness = format === DIGEST_ONLY ? WEAK_FORMAT : weaknessOfCms(cms);
    return { cms: der, weakness, fault: checkFormat(cms, { der, format, content }) };
  } catch (error) {
    if (error instanceof Asn1Fault) return { fault: error.message };
    throw error;
  }
}

function checkFormat(
  cms: CmsSignature,
  { der, format, content }: { der: Uint8Array; format: string; content: Parameters<typeof checkCms>[1] },
): string | undefined {
  const weak = { allowsWeak: true };
  if (TIMESTAMP_FORMATS.includes(format)) return checkTimestamp(readTimestamp(der), content, weak);
  if (format !== DIGEST_ONLY)
    return cms.content === undefined ? checkCms(cms, content, weak) : 'contains other content than the file';
  if (!cms.content || !Buffer.from(content.digest('sha1')).equals(cms.content)) return NO_MATCH;
  return checkCms(cms, contentOf(cms.content), weak);
}
