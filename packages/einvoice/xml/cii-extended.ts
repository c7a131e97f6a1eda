import type { XmlElement } from '@platen/xml';
import { Decimal } from '../decimal.ts';
import { CII_NAMESPACES, qualifiedName, textBelow } from './cii-node.ts';

const LINE = qualifiedName('ram:IncludedSupplyChainTradeLineItem');
const SETTLEMENT = 'ram:ApplicableHeaderTradeSettlement';
const TRANSACTION = 'rsm:SupplyChainTradeTransaction';
const LINE_DOCUMENT = 'ram:AssociatedDocumentLineDocument';

/** The terms of the profile EXTENDED that change sums, but that the data of EN 16931 does not have. */
export interface ExtendedTerms {
  /** Whether lines belong to other lines or only inform. */
  hasSubLines: boolean;
  /** The sum of the adjustments of the amount due, such as fees of third parties. */
  adjustment: Decimal;
}

/**
 * Expresses elements of the profile EXTENDED in terms of EN 16931: a logistics service charge (BG-X-42)
 * becomes a document level charge, and lines that only group others or inform are left out, because no sum
 * includes them. Item attributes that have a code or a measure instead of a text are left out as well.
 */
export function reduceExtended(document: XmlElement): XmlElement {
  return mapChildren(document, (child) => {
    if (child.name === LINE && isSubtotal(child)) return [];
    if (child.name === qualifiedName('ram:SpecifiedLogisticsServiceCharge')) return [chargeOf(child)];
    if (child.name === qualifiedName('ram:ApplicableProductCharacteristic') && isCoded(child)) return [];
    return [reduceExtended(child)];
  });
}

/** Reads the terms that {@link reduceExtended} leaves out. */
export function extendedTerms(document: XmlElement): ExtendedTerms {
  const transaction = childrenOf(document, TRANSACTION);
  const lines = transaction.flatMap((one) => one.children.filter(({ name }) => name === LINE));
  const adjustments = transaction
    .flatMap((one) => childrenOf(one, SETTLEMENT))
    .flatMap((one) => childrenOf(one, 'ram:SpecifiedFinancialAdjustment'));
  return {
    hasSubLines: lines.some(
      (line) => isSubtotal(line) || (textBelow(line, LINE_DOCUMENT, 'ram:ParentLineID') ?? '') !== '',
    ),
    adjustment: Decimal.sum(
      adjustments.map((one) => Decimal.parse(textBelow(one, 'ram:ActualAmount') ?? '') ?? Decimal.zero),
    ),
  };
}

function isSubtotal(line: XmlElement): boolean {
  return ![undefined, '', 'DETAIL'].includes(textBelow(line, LINE_DOCUMENT, 'ram:LineStatusReasonCode'));
}

function isCoded(attribute: XmlElement): boolean {
  return (
    childrenOf(attribute, 'ram:TypeCode').length > 0 || childrenOf(attribute, 'ram:ValueMeasure').length > 0
  );
}

function chargeOf(charge: XmlElement): XmlElement {
  const names: Readonly<Record<string, string>> = {
    [qualifiedName('ram:AppliedAmount')]: qualifiedName('ram:ActualAmount'),
    [qualifiedName('ram:Description')]: qualifiedName('ram:Reason'),
    [qualifiedName('ram:AppliedTradeTax')]: qualifiedName('ram:CategoryTradeTax'),
  };
  const empty = { attributes: new Map<string, string>(), children: [], text: '' };
  const value = { ...charge, ...empty, name: `${CII_NAMESPACES['udt']} Indicator`, text: 'true' };
  const indicator = { ...charge, ...empty, name: qualifiedName('ram:ChargeIndicator'), children: [value] };
  return {
    ...charge,
    name: qualifiedName('ram:SpecifiedTradeAllowanceCharge'),
    children: [indicator, ...charge.children.map((one) => ({ ...one, name: names[one.name] ?? one.name }))],
  };
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  const wanted = qualifiedName(name);
  return element.children.filter((child) => child.name === wanted);
}

function mapChildren(element: XmlElement, map: (child: XmlElement) => XmlElement[]): XmlElement {
  return { ...element, children: element.children.flatMap(map) };
}
