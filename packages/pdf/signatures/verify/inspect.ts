import { createHash } from 'node:crypto';
import { decodeDate, decodeText, PdfDocument, PdfError } from '../../objects/index.ts';
import type { DigestName } from '../asn1/algorithms.ts';
import { Asn1Fault } from '../asn1/asn1.ts';
import { readCoverage, type Coverage } from './byte-range.ts';
import { LaterRevisions } from './later-revisions.ts';
import type { LaterChanges } from './changes.ts';
import { checkCms, readCms } from '../cms/read-cms.ts';
import { hasSecurityStore, readSecurityStore, type SecurityStore } from '../security-store.ts';
import { listSignedFields, type SignedField } from './signature-fields.ts';
import { checkTimestamp, readTimestamp } from '../cms/timestamp.ts';

/** The properties of a signature that depend only on the file: everything except whether its certificate can be trusted. */
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
  /** Problems as sentences. */
  problems: string[];
}

/** The signatures of a file and its security store. It can be sent between processes. */
export interface Inspection {
  signatures: InspectedSignature[];
  store: SecurityStore;
}

const MAX_SIGNATURES = 100;
const MAX_CMS_BYTES = 5_000_000;

/**
 * Checks the integrity of all signatures of a document: byte ranges, digests, signature values, and changes after signing.
 * @throws {PdfError} if the document has too many signatures
 */
export function inspectSignatures(document: PdfDocument): Inspection {
  const fields = listSignedFields(document);
  if (fields.length > MAX_SIGNATURES)
    throw new PdfError('too-complex', `has more than ${MAX_SIGNATURES} signatures`);
  const later = new LaterRevisions(
    document,
    fields.map((field) => ({ field, coverage: readCoverage(document, field) })),
  );
  const signatures = fields.map((field) => inspect(document, field, later));
  return {
    signatures: signatures.toSorted((a, b) => rankOf(a) - rankOf(b)),
    store: readSecurityStore(document),
  };
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
    later: { changes: 'not_allowed', problems: [] },
    problems: [],
  };
  const coverage = later.coverageOf(signed);
  if ('problem' in coverage) return { ...base, problems: [`the signature ${coverage.problem}`] };
  const coversWholeFile = coverage.end === document.file.length;
  const checked = checkContents(coverage, kind, signature.name('SubFilter'));
  const revision = later.revisionAt(coverage.end);
  return {
    ...base,
    coversWholeFile,
    end: coverage.end,
    cms: checked.cms,
    intact: checked.problem === undefined,
    problems:
      checked.problem === undefined
        ? []
        : [`the ${kind === 'signature' ? 'signature' : 'timestamp'} ${checked.problem}`],
    coversRevocation: revision !== undefined && hasSecurityStore(revision),
    later: later.changesAfter(signed, coverage.end),
  };
}

function checkContents(
  coverage: Coverage,
  kind: InspectedSignature['kind'],
  filter: string | undefined,
): { cms?: Uint8Array; problem?: string } {
  const supported = kind === 'signature' ? ['adbe.pkcs7.detached', 'ETSI.CAdES.detached'] : ['ETSI.RFC3161'];
  if (filter === undefined || !supported.includes(filter))
    return {
      problem:
        filter === undefined
          ? 'does not name its format'
          : `has the unsupported format ${filter.slice(0, 100)}`,
    };
  const { contents, parts } = coverage;
  const content = {
    digest(name: DigestName) {
      const hash = createHash(name);
      for (const part of parts) hash.update(part);
      return hash.digest();
    },
    bytes: () => Buffer.concat(parts),
  };
  try {
    if (contents.length > MAX_CMS_BYTES) throw new Asn1Fault('is too large');
    const cms = readCms(contents);
    if (contents.subarray(cms.sizeBytes).some((byte) => byte !== 0))
      throw new Asn1Fault('is followed by other bytes');
    const der = Uint8Array.from(contents.subarray(0, cms.sizeBytes));
    const problem =
      kind === 'signature' ? checkSigned(der, content) : checkTimestamp(readTimestamp(der), content);
    return { cms: der, ...(problem !== undefined && { problem }) };
  } catch (error) {
    if (error instanceof Asn1Fault) return { problem: error.message };
    throw error;
  }
}

function checkSigned(der: Uint8Array, content: Parameters<typeof checkCms>[1]): string | undefined {
  const cms = readCms(der);
  return cms.content === undefined ? checkCms(cms, content) : 'contains other content than the file';
}
