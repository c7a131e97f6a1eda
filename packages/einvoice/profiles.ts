/** The profiles of Factur-X and ZUGFeRD 2, from the smallest to the largest, and XRechnung. */
export const INVOICE_PROFILES = ['minimum', 'basic_wl', 'basic', 'en16931', 'extended', 'xrechnung'] as const;

/** The name of a profile. */
export type InvoiceProfile = (typeof INVOICE_PROFILES)[number];

/** The syntaxes of EN 16931. */
export type InvoiceSyntax = 'cii' | 'ubl';

/** The extent of a profile; see {@link ProfileRules}. */
export type Scope = 0 | 1 | 2 | 3;

/** The properties of a profile. */
export interface ProfileRules {
  profile: InvoiceProfile;
  /** The name in the XMP metadata (Factur-X 1.0, 6.2.2). */
  level: string;
  /** The specification identifier (BT-24). */
  specification: string;
  /** The identifier in ZUGFeRD 2.0, if it differs. */
  earlier?: string;
  /** The name of the embedded file. */
  fileName: 'factur-x.xml' | 'xrechnung.xml';
  /** 0 for `minimum`, 1 without lines, 2 with the most common terms, 3 with all terms of EN 16931. */
  scope: Scope;
  /** Whether the XML contains the whole invoice, rather than data for booking it. */
  isComplete: boolean;
}

const FACTUR_X = 'factur-x.xml';

const RULES: Readonly<Record<InvoiceProfile, Omit<ProfileRules, 'profile' | 'isComplete'>>> = {
  minimum: {
    level: 'MINIMUM',
    specification: 'urn:factur-x.eu:1p0:minimum',
    earlier: 'urn:zugferd.de:2p0:minimum',
    fileName: FACTUR_X,
    scope: 0,
  },
  basic_wl: {
    level: 'BASIC WL',
    specification: 'urn:factur-x.eu:1p0:basicwl',
    earlier: 'urn:zugferd.de:2p0:basicwl',
    fileName: FACTUR_X,
    scope: 1,
  },
  basic: {
    level: 'BASIC',
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
    earlier: 'urn:cen.eu:en16931:2017#compliant#urn:zugferd.de:2p0:basic',
    fileName: FACTUR_X,
    scope: 2,
  },
  en16931: {
    level: 'EN 16931',
    specification: 'urn:cen.eu:en16931:2017',
    fileName: FACTUR_X,
    scope: 3,
  },
  extended: {
    level: 'EXTENDED',
    specification: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
    earlier: 'urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended',
    fileName: FACTUR_X,
    scope: 3,
  },
  xrechnung: {
    level: 'XRECHNUNG',
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    fileName: 'xrechnung.xml',
    scope: 3,
  },
};

/** Returns the properties of a profile. */
export function profileRules(profile: InvoiceProfile): ProfileRules {
  const rules = RULES[profile];
  return { profile, ...rules, isComplete: rules.scope >= 2 };
}

/** Finds the profile of a specification identifier (BT-24), which may be the identifier in ZUGFeRD 2.0. */
export function profileOf(specification: string): InvoiceProfile | undefined {
  return INVOICE_PROFILES.find((profile) =>
    [RULES[profile].specification, RULES[profile].earlier].includes(specification),
  );
}
