import { CHECKED_UA_CLAUSES, checkPdfua } from '../accessibility/check/check-pdfua.ts';
import { INVOICE_PROFILES, profileRules, ruleIds, type InvoiceProfile } from '../invoice/index.ts';
import { checkEmbeddedInvoice } from '../invoice/embed/check-invoice.ts';
import { checkPdfa } from '../pdfa/check/check-pdfa.ts';
import { checkedClauses } from '../pdfa/check/checked-clauses.ts';
import { PDFA_LEVELS, type PdfaLevel } from '../pdfa/levels.ts';
import type { Violation } from '../pdfa/violation.ts';
import { PdfDocument } from '../objects/index.ts';
import { SIGNATURE_LEVELS, type SignatureLevel } from '../signatures/levels.ts';

/** A level of a standard, and its check. */
export interface Profile {
  /** The name of the standard, such as `PDF/A`. */
  standard: string;
  /** The level or part of the standard, such as `2b`. */
  level: string;
  /** The rules that the check covers, by their numbers in the standard, such as `6.2.4.3` or `BR-CO-10`. */
  rules: readonly string[];
  /**
   * Checks a file, relying only on its bytes. Returns the violations. @throws {PdfError} if the file cannot be opened
   */
  check: (pdf: Uint8Array) => Violation[] | Promise<Violation[]>;
  /** Set if the check covers only a part of the profile, so that it can find violations but not exclude them: the part it does not cover. */
  limit?: string;
}

/** The maximum number of reported problems of signatures. */
const MAX_FINDINGS = 50;

const PDFUA: Profile = { standard: 'PDF/UA', level: '1', rules: CHECKED_UA_CLAUSES, check: checkPdfua };

/**
 * The profiles that can be checked, by the names that {@link readClaims} returns. `POST /v1/pdf/validate` checks them, and a document
 * that claims one of them is proven by its check. To add a standard, add its profiles here.
 */
const PROFILES: ReadonlyMap<string, Profile> = new Map([
  ...PDFA_LEVELS.map((level) => [`pdfa-${level}`, pdfa(level)] as const),
  ['pdfua-1', PDFUA],
  ['pdfa-1a', levelA('1b')],
  ['pdfa-2a', levelA('2u')],
  ['pdfa-3a', levelA('3u')],
  ['pades', signatures('PAdES', true)],
  ['signature', signatures('PDF signature', false)],
  ...INVOICE_PROFILES.map((profile) => [facturXName(profile), facturX(profile)] as const),
]);

/** The levels of PAdES that a proof can name. {@link readClaims} reports every level as `pades`. */
const PADES_LEVELS: ReadonlyMap<string, Profile> = new Map(
  SIGNATURE_LEVELS.map((level) => [`pades-${level}`, pades(level)]),
);

/** Checks the latest signature: its integrity, later changes, and the parts that the level requires. Whom to trust is for others to decide. */
function pades(level: SignatureLevel): Profile {
  return {
    standard: 'PAdES',
    level: level.toUpperCase(),
    rules: ['ISO 32000-2 12.8.1', 'ETSI EN 319 142-1 5.3', 'ETSI EN 319 142-1 6.3'],
    async check(pdf) {
      const { inspectSignatures, levelsOf } = await import('../signatures/index.ts');
      const inspection = inspectSignatures(PdfDocument.open(pdf));
      const at = inspection.signatures.findLastIndex((each) => each.kind === 'signature');
      const latest = inspection.signatures[at];
      if (!latest) return [{ clause: '12.8.1', message: 'the file has no signature' }];
      const changes = latest.later.changes === 'not_allowed' ? latest.later.problems : [];
      const problems = [...latest.problems, ...changes].map((message) => ({ clause: '12.8.1', message }));
      const reached = levelsOf(inspection)[at] ?? null;
      const isReached =
        reached !== null && SIGNATURE_LEVELS.indexOf(reached) >= SIGNATURE_LEVELS.indexOf(level);
      if (!isReached)
        problems.push({
          clause: '6.3',
          message: `the signature lacks a part that the level ${level} requires`,
        });
      return problems.slice(0, MAX_FINDINGS);
    },
  };
}

/** Signatures are checked without their certificates, which need trusted roots and revocation data. */
function signatures(standard: string, isPades: boolean): Profile {
  return {
    standard,
    level: 'integrity',
    rules: ['12.8.1'],
    async check(pdf) {
      // Loaded on demand, because every task loads this module.
      const { inspectSignatures } = await import('../signatures/index.ts');
      return inspectSignatures(PdfDocument.open(pdf))
        .signatures.filter((each) => each.kind === 'signature' && each.isPades === isPades)
        .flatMap(({ field, problems, later }) =>
          [...problems, ...(later.changes === 'not_allowed' ? later.problems : [])].map((problem) => ({
            clause: '12.8.1',
            message: `${field}: ${problem}`,
          })),
        )
        .slice(0, MAX_FINDINGS);
    },
    limit:
      'the signatures are intact; whether their certificates can be trusted is for POST /v1/pdf/verify to decide',
  };
}

/** Returns a profile by its name; `undefined` if it cannot be checked. */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.get(name);
}

/** Returns a profile that a proof can have, by its name. */
export function findProvableProfile(name: string): Profile | undefined {
  const profile = PROFILES.get(name) ?? PADES_LEVELS.get(name);
  return profile?.limit === undefined ? profile : undefined;
}

/** Returns the names of the profiles that can be checked. */
export function profileNames(): string[] {
  return [...PROFILES.keys()];
}

/** Returns the name of the profile of an invoice, such as `factur-x-en16931`. */
export function facturXName(profile: InvoiceProfile): string {
  return `factur-x-${profile.replace('_', '-')}`;
}

function facturX(profile: InvoiceProfile): Profile {
  return {
    standard: 'Factur-X',
    level: profileRules(profile).level,
    rules: ruleIds(profile),
    check: (pdf) => checkEmbeddedInvoice(pdf, profile),
  };
}

function pdfa(level: PdfaLevel): Profile {
  return {
    standard: 'PDF/A',
    level,
    rules: checkedClauses(level),
    check: (pdf) => checkPdfa(pdf, level),
  };
}

/** Level A of a part is checked as far as it agrees with the level below. */
function levelA(below: PdfaLevel): Profile {
  return {
    ...pdfa(below),
    level: `${below.slice(0, 1)}a`,
    limit: `the requirements that level A adds to level ${below.slice(1).toUpperCase()}, such as structure tags, cannot be checked`,
  };
}
