import { PdfDocument } from '../objects/index.ts';
import { checkPdfa } from '../pdfa/check/check-pdfa.ts';
import { PDFA_LEVELS, type PdfaLevel } from '../pdfa/levels.ts';
import type { Violation } from '../pdfa/violation.ts';
import { readClaims } from './claims.ts';

/** The result of a check. */
export interface ProfileResult {
  profile: string;
  /** `null` if the checker cannot decide. */
  valid: boolean | null;
  findings: Violation[];
  /** Why `valid` is `null`. */
  message?: string;
}

/** The profiles that a file claims, and for each checked profile the result. */
export interface Validation {
  claims: string[];
  results: ProfileResult[];
}

/** A check of a profile. `decides` is false if it covers only a part of the profile, so that it can find violations but not exclude them. */
interface Checker {
  check: (pdf: Uint8Array) => Violation[];
  decides: boolean;
  /** What the check does not cover. */
  limit?: string;
}

/** The profiles that can be checked. Level A of a part is checked as far as it agrees with the level below. */
const CHECKERS: Readonly<Record<string, Checker>> = {
  ...Object.fromEntries(
    PDFA_LEVELS.map((level) => [`pdfa-${level}`, { check: checkAt(level), decides: true }] as const),
  ),
  'pdfa-1a': levelA('1b'),
  'pdfa-2a': levelA('2u'),
  'pdfa-3a': levelA('3u'),
};

function checkAt(level: PdfaLevel): Checker['check'] {
  return (pdf) => checkPdfa(pdf, level);
}

function levelA(below: PdfaLevel): Checker {
  return {
    check: checkAt(below),
    decides: false,
    limit: `the requirements that level A adds to level ${below.slice(1).toUpperCase()}, such as structure tags, cannot be checked`,
  };
}

/** Reads which profiles a file claims, and checks them, or the profile that is given. @throws {PdfError} if the file cannot be opened. */
export function validateProfiles(pdf: Uint8Array, profile?: string): Validation {
  const claims = readClaims(PdfDocument.open(pdf));
  const profiles = profile === undefined ? claims : [profile];
  return { claims, results: profiles.map((name) => checkProfile(pdf, name)) };
}

function checkProfile(pdf: Uint8Array, profile: string): ProfileResult {
  const checker = Object.hasOwn(CHECKERS, profile) ? CHECKERS[profile] : undefined;
  if (!checker)
    return {
      profile,
      valid: null,
      findings: [],
      message: `${profile} cannot be checked; the profiles that can be are ${Object.keys(CHECKERS).join(', ')}`,
    };
  const findings = checker.check(pdf);
  if (findings.length > 0) return { profile, valid: false, findings };
  if (checker.decides) return { profile, valid: true, findings };
  return { profile, valid: null, findings, message: checker.limit ?? '' };
}
