import type { DataNode } from '../data/node.ts';
import type { Scope } from '../profiles.ts';
import type { CiiAttribute, CiiNode, Codec } from './cii-node.ts';

type Extra = Omit<CiiNode, 'name' | 'from'>;

/** The scheme of a creditor identifier (BT-90), which UBL writes as an identifier of the seller or payee. */
export const SEPA = 'SEPA';

/** Describes an element with children. */
export const el = (name: string, from: Scope, children: readonly CiiNode[], extra: Extra = {}): CiiNode => ({
  name,
  from,
  children,
  ...extra,
});
/** Describes an element with a value. */
export const leaf = (name: string, from: Scope, path: string, extra: Extra = {}): CiiNode => ({
  name,
  from,
  value: path,
  ...extra,
});
/** Describes an element with a constant value. */
export const fixed = (name: string, from: Scope, value: string): CiiNode => ({ name, from, fixed: value });

const DATE: Codec = {
  toXml: (value) => value.replaceAll('-', ''),
  toData: (value) => `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6, 8)}`,
};
export const date = (name: string, from: Scope, path: string, element = 'udt:DateTimeString'): CiiNode =>
  el(name, from, [leaf(element, from, path, { codec: DATE, attributes: { format: { fixed: '102' } } })]);

function mapping(pairs: Readonly<Record<string, string>>): Codec {
  const back = Object.fromEntries(Object.entries(pairs).map(([data, xml]) => [xml, data]));
  return { toXml: (value) => pairs[value] ?? value, toData: (value) => back[value] ?? value };
}
/** Converts the scheme of a tax registration: VAT, or a local tax number. */
const TAX_SCHEME: Codec = {
  toXml: (value) => (value === 'VAT' ? 'VA' : 'FC'),
  toData: (value) => (value === 'VA' ? 'VAT' : 'FC'),
};
/** Converts the tax point code (BT-8), which UBL takes from UNTDID 2005 and CII from UNTDID 2475. */
export const TAX_POINT = mapping({ '3': '5', '35': '29', '432': '72' });

/** Describes the scheme of an identifier. */
export const scheme = (path: string): Readonly<Record<string, CiiAttribute>> => ({ schemeID: { path } });
const hasScheme = (data: DataNode) => data.text('cbc:ID@schemeID') !== undefined;

/** Describes identifiers: `GlobalID` with a scheme, `ID` without. Leaves out creditor identifiers. */
export function identifiers(from: Scope, group: string, each: boolean): CiiNode[] {
  const isCreditor = (data: DataNode) => data.text('cbc:ID@schemeID') === SEPA;
  return [
    leaf('ram:ID', from, 'cbc:ID', { group, each, when: (data) => !hasScheme(data) }),
    leaf('ram:GlobalID', from, 'cbc:ID', {
      group,
      each,
      when: (data) => hasScheme(data) && !isCreditor(data),
      attributes: scheme('cbc:ID@schemeID'),
    }),
  ];
}

/** Describes a postal address. */
export const address = (group: string, from: Scope): CiiNode =>
  el(
    'ram:PostalTradeAddress',
    from,
    [
      leaf('ram:PostcodeCode', 1, 'cbc:PostalZone'),
      leaf('ram:LineOne', 1, 'cbc:StreetName'),
      leaf('ram:LineTwo', 1, 'cbc:AdditionalStreetName'),
      leaf('ram:LineThree', 1, 'cac:AddressLine/cbc:Line'),
      leaf('ram:CityName', 1, 'cbc:CityName'),
      leaf('ram:CountryID', from, 'cac:Country/cbc:IdentificationCode'),
      leaf('ram:CountrySubDivisionName', 1, 'cbc:CountrySubentity'),
    ],
    { group },
  );

export const taxRegistration = (from: Scope, each: boolean): CiiNode =>
  el(
    'ram:SpecifiedTaxRegistration',
    from,
    [
      leaf('ram:ID', from, 'cbc:CompanyID', {
        attributes: { schemeID: { path: 'cac:TaxScheme/cbc:ID', codec: TAX_SCHEME } },
      }),
    ],
    { group: 'cac:PartyTaxScheme', each },
  );

/** Describes the seller or the buyer. */
export const party = (name: string, group: string, isSeller: boolean): CiiNode =>
  el(
    name,
    0,
    [
      ...identifiers(1, 'cac:PartyIdentification', isSeller),
      leaf('ram:Name', 0, 'cac:PartyLegalEntity/cbc:RegistrationName'),
      ...(isSeller ? [leaf('ram:Description', 3, 'cac:PartyLegalEntity/cbc:CompanyLegalForm')] : []),
      el('ram:SpecifiedLegalOrganization', 0, [
        leaf('ram:ID', 0, 'cac:PartyLegalEntity/cbc:CompanyID', {
          attributes: scheme('cac:PartyLegalEntity/cbc:CompanyID@schemeID'),
        }),
        leaf('ram:TradingBusinessName', isSeller ? 1 : 3, 'cac:PartyName/cbc:Name'),
      ]),
      el(
        'ram:DefinedTradeContact',
        3,
        [
          leaf('ram:PersonName', 3, 'cbc:Name'),
          el('ram:TelephoneUniversalCommunication', 3, [leaf('ram:CompleteNumber', 3, 'cbc:Telephone')]),
          el('ram:EmailURIUniversalCommunication', 3, [leaf('ram:URIID', 3, 'cbc:ElectronicMail')]),
        ],
        { group: 'cac:Contact' },
      ),
      address('cac:PostalAddress', isSeller ? 0 : 1),
      el('ram:URIUniversalCommunication', 1, [
        leaf('ram:URIID', 1, 'cbc:EndpointID', { attributes: scheme('cbc:EndpointID@schemeID') }),
      ]),
      taxRegistration(isSeller ? 0 : 1, isSeller),
    ],
    { group },
  );

/** Describes a VAT category. */
export const tax = (from: Scope): CiiNode[] => [
  leaf('ram:TypeCode', from, 'cac:TaxScheme/cbc:ID'),
  leaf('ram:CategoryCode', from, 'cbc:ID'),
  leaf('ram:RateApplicablePercent', from, 'cbc:Percent'),
];

/**
 * Describes the VAT category of a line, an allowance or a charge. The profile EXTENDED can give its exemption
 * reason, which is read only.
 */
export const partTax = (from: Scope): CiiNode[] => [
  ...tax(from),
  ...[
    ['ram:ExemptionReason', 'cbc:TaxExemptionReason'] as const,
    ['ram:ExemptionReasonCode', 'cbc:TaxExemptionReasonCode'] as const,
  ].map(([name, path]) => leaf(name, from, path, { when: () => false })),
];

export const period = (from: Scope): CiiNode =>
  el(
    'ram:BillingSpecifiedPeriod',
    from,
    [date('ram:StartDateTime', from, 'cbc:StartDate'), date('ram:EndDateTime', from, 'cbc:EndDate')],
    { group: 'cac:InvoicePeriod' },
  );

/** Describes the indicator that tells a charge from an allowance. */
export const indicator = (from: Scope): CiiNode =>
  el('ram:ChargeIndicator', from, [leaf('udt:Indicator', from, 'cbc:ChargeIndicator')]);

/** Describes allowances and charges. */
export const allowance = (from: Scope, more: readonly CiiNode[] = []): CiiNode =>
  el(
    'ram:SpecifiedTradeAllowanceCharge',
    from,
    [
      indicator(from),
      leaf('ram:CalculationPercent', from, 'cbc:MultiplierFactorNumeric'),
      leaf('ram:BasisAmount', from, 'cbc:BaseAmount'),
      leaf('ram:ActualAmount', from, 'cbc:Amount'),
      leaf('ram:ReasonCode', from, 'cbc:AllowanceChargeReasonCode'),
      leaf('ram:Reason', from, 'cbc:AllowanceChargeReason'),
      ...more,
    ],
    { group: 'cac:AllowanceCharge', each: true },
  );

/** Describes a quantity and its unit. */
export const quantity = (name: string, from: Scope, path: string): CiiNode =>
  leaf(name, from, path, { attributes: { unitCode: { path: `${path}@unitCode` } } });
