import { PdfDocument } from '@platen/pdf/objects';
import type { Violation } from '../violation.ts';
import { readClaims } from '../claims/claims.ts';
import { findProfile, profileNames } from './profiles.ts';

/** The result of checking a profile. */
export interface ProfileResult {
  profile: string;
  /** `null` if the checker cannot decide. */
  valid: boolean | null;
  findings: Violation[];
  /** Why `valid` is `null`. */
  message?: string;
}

/** The profiles that a file claims, and the result for each checked profile. */
export interface Validation {
  claims: string[];
  results: ProfileResult[];
}

/**
 * Reads the profiles that a file claims, and checks them or the given profile.
 * @throws {PdfError} if the file cannot be opened.
 */
export async function validateProfiles(pdf: Uint8Array, profile?: string): Promise<Validation> {
  const claims = readClaims(PdfDocument.open(pdf));
  const results: ProfileResult[] = [];
  for (const name of profile === undefined ? claims : [profile]) results.push(await checkProfile(pdf, name));
  return { claims, results };
}

async function checkProfile(pdf: Uint8Array, name: string): Promise<ProfileResult> {
  const profile = findProfile(name);
  if (!profile)
    return {
      profile: name,
      valid: null,
      findings: [],
      message: `${name} cannot be checked; the supported profiles are ${profileNames().join(', ')}`,
    };
  const { check, limit, obstacle } = profile;
  const message = obstacle?.(pdf);
  if (message !== undefined) return { profile: name, valid: null, findings: [], message };
  const findings = await check(pdf);
  if (findings.length > 0) return { profile: name, valid: false, findings };
  if (limit === undefined) return { profile: name, valid: true, findings };
  return { profile: name, valid: null, findings, message: limit };
}
