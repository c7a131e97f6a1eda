import { CHECKED_UA_CLAUSES, checkPdfua } from '../pdfua-check/check-pdfua.ts';
import { INVOICE_PROFILES, profileRules, ruleIds, type InvoiceProfile } from '@platen/einvoice';
import { checkEmbeddedInvoice, uncheckableInvoice } from '../invoices/check-invoice.ts';
import { checkPdfa } from '../pdfa-check/check-pdfa.ts';
import { checkedClauses } from '../pdfa-check/checked-clauses.ts';
import { PDFA_LEVELS, type PdfaLevel } from '../levels.ts';
import type { Profile } from './profile.ts';
import { PADES_LEVELS, signatures } from './signature-profiles.ts';

const PDFUA: Profile = { standard: 'PDF/UA', level: '1', rules: CHECKED_UA_CLAUSES, check: checkPdfua };

/**
 * The profiles that can be checked, keyed by the names that {@link readClaims} returns.
 * `POST /v1/pdf/validate` runs their checks, and proofs of claims rely on them. To add a standard, add its
 * profiles here.
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

/** Returns the profile with a name, or `undefined` if it cannot be checked. */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.get(name);
}

/** Returns the profile with a name, or `undefined` if it cannot be proven. */
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
    obstacle: uncheckableInvoice,
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

/**
 * Returns the profile of a level A. Its check covers only the requirements that it shares with the level
 * below.
 */
function levelA(below: PdfaLevel): Profile {
  return {
    ...pdfa(below),
    level: `${below.slice(0, 1)}a`,
    limit: `the requirements that level A adds to level ${below.slice(1).toUpperCase()}, such as structure tags, cannot be checked`,
  };
}
