import { numberFormat } from '../intl.ts';
import { inFours } from './iban.ts';
import type { Address, SwissBill } from './swiss-bill.ts';
import type { BillHeadings } from './swiss-headings.ts';
import { wrapText } from './text-width.ts';

export const MM_PER_POINT = 25.4 / 72;

/** A text of the drawing. Positions are millimetres, sizes are points. */
export interface PlacedText {
  text: string;
  x: number;
  /** The baseline. */
  y: number;
  size: number;
  bold: boolean;
}

/** A blank field with corner marks, in millimetres. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Texts and blank fields. */
export interface Drawing {
  texts: PlacedText[];
  boxes: Box[];
}

/** A heading, and its lines or a blank field. */
interface Block {
  heading: string;
  lines: string[];
  box?: { width: number; height: number };
}

/** The sizes of the text of a section in points. */
interface TextStyle {
  heading: number;
  value: number;
  line: number;
  gap: number;
  /** Whether streets are left out, which is permitted on the receipt only. */
  withoutStreet?: boolean;
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The share of the size of a font above the baseline. */
const ASCENT = 0.905;
const RECEIPT: Area = { x: 5, y: 12, width: 52, height: 56 };
/** The left edge of the QR code and the amount of the payment part. */
const PAYMENT_X = 67;
const INFORMATION: Area = { x: 118, y: 5, width: 87, height: 85 };
/** The preferred styles first. The first one whose text fits is used, otherwise the last one. */
const RECEIPT_STYLES: readonly TextStyle[] = [
  { heading: 6, value: 8, line: 9, gap: 9 },
  { heading: 6, value: 8, line: 9, gap: 4.5 },
  { heading: 6, value: 8, line: 9, gap: 9, withoutStreet: true },
  { heading: 6, value: 8, line: 9, gap: 4.5, withoutStreet: true },
  { heading: 6, value: 7, line: 7.5, gap: 3, withoutStreet: true },
  { heading: 6, value: 6, line: 6.5, gap: 3, withoutStreet: true },
];
const INFORMATION_STYLES: readonly TextStyle[] = [
  { heading: 8, value: 10, line: 11, gap: 11 },
  { heading: 8, value: 10, line: 11, gap: 5.5 },
  { heading: 7, value: 9, line: 10, gap: 5 },
  { heading: 6, value: 8, line: 9, gap: 4.5 },
  { heading: 6, value: 7, line: 8, gap: 4 },
];

/** Places all texts and blank fields of the receipt and of the payment part. */
export function layOutBill(bill: SwissBill, headings: BillHeadings): Drawing {
  const drawing: Drawing = { texts: [], boxes: [] };
  drawing.texts.push(title(headings.receipt, RECEIPT.x), title(headings.paymentPart, PAYMENT_X));
  placeBlocks(drawing, {
    area: RECEIPT,
    styles: RECEIPT_STYLES,
    blocksOf: (style) => paymentBlocks({ bill, headings, style, blank: { width: 52, height: 20 } }),
  });
  placeBlocks(drawing, {
    area: INFORMATION,
    styles: INFORMATION_STYLES,
    blocksOf: (style) => {
      const blocks = paymentBlocks({ bill, headings, style, blank: { width: 65, height: 25 } });
      const information = { heading: headings.additionalInformation, lines: [bill.message] };
      return bill.message === '' ? blocks : [...blocks.slice(0, -1), information, ...blocks.slice(-1)];
    },
  });
  placeAmount(drawing, {
    bill,
    headings,
    x: RECEIPT.x,
    currencyWidth: 12,
    style: { heading: 6, value: 8, line: 9, gap: 0 },
    blank: { x: 27, y: 68, width: 30, height: 10 },
  });
  placeAmount(drawing, {
    bill,
    headings,
    x: PAYMENT_X,
    currencyWidth: 15,
    style: { heading: 8, value: 10, line: 11, gap: 0 },
    blank: { x: 78, y: 72.5, width: 40, height: 15 },
  });
  return drawing;
}

function title(text: string, x: number): PlacedText {
  return { text, x, y: 5 + 11 * ASCENT * MM_PER_POINT, size: 11, bold: true };
}

interface PaymentPart {
  bill: SwissBill;
  headings: BillHeadings;
  style: TextStyle;
  /** The size of the blank field for the payer in millimetres. */
  blank: { width: number; height: number };
}

function paymentBlocks({ bill, headings, style, blank }: PaymentPart): Block[] {
  const { iban, creditor, debtor, reference, referenceType } = bill;
  const payee = { heading: headings.account, lines: [inFours(iban), ...addressLines(creditor, style)] };
  const referenced = { heading: headings.reference, lines: [formatReference(reference, referenceType)] };
  const payer = debtor
    ? { heading: headings.payableBy, lines: addressLines(debtor, style) }
    : { heading: headings.payableByBlank, lines: [], box: blank };
  return reference === '' ? [payee, payer] : [payee, referenced, payer];
}

/** Returns the lines of an address. Countries other than Switzerland and Liechtenstein are printed. */
export function addressLines(address: Address, { withoutStreet = false } = {}): string[] {
  const { name, street, houseNumber, postcode, town, country } = address;
  const streetLine = withoutStreet ? '' : `${street} ${houseNumber}`.trim();
  const prefix = country === 'CH' || country === 'LI' ? '' : `${country}-`;
  return [name, streetLine, `${prefix}${postcode} ${town}`].filter((line) => line !== '');
}

/** Groups the last 25 digits of a QR reference in fives, and a creditor reference in fours. */
export function formatReference(reference: string, type: SwissBill['referenceType']): string {
  if (type !== 'QRR') return inFours(reference);
  return [reference.slice(0, 2), ...(reference.slice(2).match(/\d{5}/g) ?? [])].join(' ');
}

interface Section {
  area: Area;
  styles: readonly TextStyle[];
  blocksOf: (style: TextStyle) => Block[];
}

function placeBlocks(drawing: Drawing, { area, styles, blocksOf }: Section): void {
  for (const [index, style] of styles.entries()) {
    const blocks = blocksOf(style).map((block) => ({
      ...block,
      lines: block.lines.flatMap((line) => wrapText(line, area.width / (style.value * MM_PER_POINT))),
    }));
    if (heightOf(blocks, style) > area.height && index < styles.length - 1) continue;
    place(drawing, { area, style, blocks });
    return;
  }
}

/** Returns the height of blocks in millimetres. */
function heightOf(blocks: readonly Block[], { line, gap }: TextStyle): number {
  const lines = blocks.reduce((sum, block) => sum + 1 + block.lines.length, 0);
  const boxes = blocks.reduce((sum, { box }) => sum + (box ? box.height + 1 : 0), 0);
  return (lines * line + (blocks.length - 1) * gap) * MM_PER_POINT + boxes;
}

function place(
  { texts, boxes }: Drawing,
  { area, style, blocks }: { area: Area; style: TextStyle; blocks: readonly Block[] },
): void {
  let top = area.y;
  const write = (text: string, size: number, bold: boolean) => {
    texts.push({ text, x: area.x, y: top + size * ASCENT * MM_PER_POINT, size, bold });
    top += style.line * MM_PER_POINT;
  };
  for (const { heading, lines, box } of blocks) {
    write(heading, style.heading, true);
    for (const line of lines) write(line, style.value, false);
    if (box) {
      boxes.push({ x: area.x, y: top + 1, ...box });
      top += box.height + 1;
    }
    top += style.gap * MM_PER_POINT;
  }
}

interface AmountSection {
  bill: SwissBill;
  headings: BillHeadings;
  x: number;
  /** The width of the column of the currency in millimetres. */
  currencyWidth: number;
  style: TextStyle;
  blank: Box;
}

function placeAmount({ texts, boxes }: Drawing, section: AmountSection): void {
  const { bill, headings, x, currencyWidth, style, blank } = section;
  const { amount, currency } = bill;
  const top = 68;
  const headingY = top + style.heading * ASCENT * MM_PER_POINT;
  const valueY = top + (style.line + style.value * ASCENT) * MM_PER_POINT;
  const amountX = x + currencyWidth;
  texts.push(
    { text: headings.currency, x, y: headingY, size: style.heading, bold: true },
    { text: headings.amount, x: amountX, y: headingY, size: style.heading, bold: true },
    { text: currency, x, y: valueY, size: style.value, bold: false },
  );
  if (amount === undefined) boxes.push(blank);
  else texts.push({ text: formatAmount(amount), x: amountX, y: valueY, size: style.value, bold: false });
}

/** Groups the digits of an amount in threes: `1 234.50`. */
export function formatAmount(amount: string): string {
  const [whole, cents] = amount.split('.');
  return `${numberFormat('en-US', {}).format(Number(whole)).replaceAll(',', ' ')}.${cents}`;
}
