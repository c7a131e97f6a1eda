import { PdfDocument } from '@platen/pdf/objects';
import type { Violation } from '../violation.ts';
import type { InspectedSignature } from '@platen/signatures';
import { SIGNATURE_LEVELS, type SignatureLevel } from '@platen/signatures/levels';
import type { Profile } from './profile.ts';

const INTEGRITY = '12.8.1';
const NO_SIGNATURES = 'the file has no signatures';
/** The maximum number of reported faults. */
const MAX_FINDINGS = 50;

/** The levels of PAdES that can be proven. {@link readClaims} reports every level as `pades`. */
export const PADES_LEVELS: ReadonlyMap<string, Profile> = new Map(
  SIGNATURE_LEVELS.map((level) => [`pades-${level}`, pades(level)]),
);

/**
 * Returns the profile of a level of PAdES. It checks the latest signature: its integrity, later changes, and
 * the parts that the level requires.
 */
function pades(level: SignatureLevel): Profile {
  return {
    standard: 'PAdES',
    level: level.toUpperCase(),
    rules: ['ISO 32000-2 12.8.1', 'ETSI EN 319 142-1 5.3', 'ETSI EN 319 142-1 6.3'],
    async check(pdf) {
      // Load the module on demand, because every task loads this file.
      const { inspectSignatures, levelsOf } = await import('@platen/signatures');
      const inspection = await inspectSignatures(PdfDocument.open(pdf));
      const at = inspection.signatures.findLastIndex((each) => each.kind === 'signature');
      const latest = inspection.signatures[at];
      if (!latest) return [{ clause: INTEGRITY, message: NO_SIGNATURES }];
      const findings: Violation[] = faultsOf(latest).map((message) => ({ clause: INTEGRITY, message }));
      const reached = levelsOf(inspection)[at] ?? null;
      const isReached =
        reached !== null && SIGNATURE_LEVELS.indexOf(reached) >= SIGNATURE_LEVELS.indexOf(level);
      if (!isReached)
        findings.push({
          clause: '6.3',
          message: `the signature does not have a part that the level ${level} requires`,
        });
      return findings.slice(0, MAX_FINDINGS);
    },
  };
}

/**
 * Returns the profile of all signatures in the format of PAdES, or of all in an older format. It does not
 * check their certificates, because that requires trusted roots and revocation data.
 */
export function signatures(standard: string, isPades: boolean): Profile {
  return {
    standard,
    level: 'integrity',
    rules: [INTEGRITY],
    async check(pdf) {
      const { inspectSignatures } = await import('@platen/signatures');
      const { signatures: found } = await inspectSignatures(PdfDocument.open(pdf));
      const all = found.filter(({ kind }) => kind === 'signature');
      const checked = all.filter((each) => each.isPades === isPades);
      if (checked.length === 0)
        return [{ clause: INTEGRITY, message: all.length === 0 ? NO_SIGNATURES : absence(isPades) }];
      return checked
        .flatMap((each) =>
          faultsOf(each).map((fault) => ({ clause: INTEGRITY, message: `${each.field}: ${fault}` })),
        )
        .slice(0, MAX_FINDINGS);
    },
    limit: 'the signatures are intact; POST /v1/pdf/verify decides whether their certificates can be trusted',
  };
}

/** Returns the finding for a file whose signatures all have the other format. */
function absence(isPades: boolean): string {
  return isPades
    ? 'the file has no signature in the format of PAdES: check it with the profile signature'
    : 'all signatures of the file are in the format of PAdES: check them with the profile pades';
}

/** Returns the faults that make a signature invalid regardless of its certificate. */
function faultsOf({ faults, later }: InspectedSignature): string[] {
  return later.changes === 'not_allowed' ? [...faults, ...later.faults] : faults;
}
