import manifest from '../package.json' with { type: 'json' };
import { InputFault, PdfDocument } from '@platen/pdf/objects';
import { readClaims } from '../claims/claims.ts';
import type { Profile } from './profile.ts';
import { findProvableProfile } from './profiles.ts';

/** The name of the checker in proofs. Callers see it, so it does not follow the names of packages. */
const CHECKER = '@platen/pdf';

/** A claim of a document that a check has confirmed for its bytes. */
export interface ProvenClaim {
  /** The name of the profile, such as `pdfa-2b`. */
  profile: string;
  /** The standard and the level, such as `PDF/A` and `2b`. */
  standard: string;
  level: string;
  /** The name and version of the checker. */
  checkedBy: string;
  /** The rules that were checked, by their numbers in the standard. */
  rules: readonly string[];
  /** When the check passed, in epoch milliseconds. */
  passedAt: number;
}

/** Returns the claim of a document whose final bytes have just passed the check of a profile. */
export function claimOf(profile: string): ProvenClaim {
  const { standard, level, rules } = requireProfile(profile);
  return {
    profile,
    standard,
    level,
    checkedBy: `${CHECKER} ${manifest.version}`,
    rules,
    passedAt: Date.now(),
  };
}

/**
 * Checks a document against profiles that it claims.
 * @throws {InputFault} with the first violation if a claim is false
 * @throws {PdfError} if the file cannot be opened
 */
export async function prove(pdf: Uint8Array, profiles: readonly string[]): Promise<ProvenClaim[]> {
  const claims: ProvenClaim[] = [];
  for (const profile of profiles) {
    const { standard, level, check } = requireProfile(profile);
    const [violation] = await check(pdf);
    if (violation)
      throw new InputFault(
        'pdf',
        `does not conform to ${standard} ${level}: ${violation.message} (${violation.clause})`,
      );
    claims.push(claimOf(profile));
  }
  return claims;
}

/**
 * Checks the claims of a document that `isWanted` accepts, and returns the true ones.
 * @throws {PdfError} if the file cannot be opened
 */
export async function confirm(
  pdf: Uint8Array,
  isWanted: (profile: string) => boolean,
): Promise<ProvenClaim[]> {
  const confirmed: ProvenClaim[] = [];
  for (const name of readClaims(PdfDocument.open(pdf))) {
    const profile = isWanted(name) ? findProvableProfile(name) : undefined;
    if (profile && (await profile.check(pdf)).length === 0) confirmed.push(claimOf(name));
  }
  return confirmed;
}

function requireProfile(name: string): Profile {
  const profile = findProvableProfile(name);
  if (!profile) throw new Error(`${name} cannot be proven`);
  return profile;
}
