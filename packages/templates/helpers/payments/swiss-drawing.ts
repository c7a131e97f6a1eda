import Handlebars from 'handlebars';
import { qrCodePath } from '../qrcode.ts';
import { inFours } from './iban.ts';
import { swissPayload, type SwissBill } from './swiss-bill.ts';
import { BILL_HEADINGS, type BillLanguage } from './swiss-headings.ts';
import {
  addressLines,
  formatAmount,
  formatReference,
  layOutBill,
  MM_PER_POINT,
  type Box,
  type PlacedText,
} from './swiss-layout.ts';

const CODE = { x: 67, y: 17, side: 46 };
/**
 * Without these, styles of the page, such as the spacing of letters, would change the drawing. Banks require
 * white paper. In the PDF, the background also shows the scale of the page; the lines of SVG have their own.
 */
const STYLE =
  'all:initial;background:#fff;print-color-adjust:exact;display:block;width:210mm;height:105mm;overflow:visible;direction:ltr;' +
  "font-family:'Liberation Sans',Arial,Helvetica,sans-serif";
const LINE_WIDTH = 0.75 * MM_PER_POINT;
const CORNER_LENGTH = 3;
/** Scissors of 5 mm that cut to the right, with the line at y = 0. */
const SCISSORS =
  'M1.6.55 5 -.75M1.6-.55 5 .75M1.7 1a.8.8 0 1 1-1.6 0 .8.8 0 0 1 1.6 0zM1.7-1a.8.8 0 1 1-1.6 0 .8.8 0 0 1 1.6 0z';

/**
 * Draws the receipt and the payment part of a Swiss QR-bill as SVG, 210 x 105 mm (SIX Style Guide QR-bill).
 * @throws {HelperFault} if the text does not fit the QR code.
 */
export function drawSwissBill(bill: SwissBill, language: BillLanguage): string {
  const { texts, boxes } = layOutBill(bill, BILL_HEADINGS[language]);
  const acceptance = `<text x="57" y="84" text-anchor="end" ${font(6, true)}>${escape(BILL_HEADINGS[language].acceptancePoint)}</text>`;
  const content = [
    separators(),
    code(swissPayload(bill)),
    ...texts.map(drawText),
    acceptance,
    ...boxes.map(drawCorners),
  ].join('');
  const label = escape(describeBill(bill, language));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="105mm" viewBox="0 0 210 105" data-swiss-qr-bill role="img" lang="${language}" aria-label="${label}" style="${STYLE}">${content}</svg>`;
}

/** Describes the bill for readers who do not see it. */
function describeBill(bill: SwissBill, language: BillLanguage): string {
  const headings = BILL_HEADINGS[language];
  const { iban, creditor, debtor, amount, currency, reference, referenceType, message } = bill;
  const parts: [heading: string, text: string][] = [
    [headings.account, [inFours(iban), ...addressLines(creditor)].join(', ')],
    [headings.reference, formatReference(reference, referenceType)],
    [headings.additionalInformation, message],
    [headings.payableBy, debtor ? addressLines(debtor).join(', ') : ''],
    [headings.amount, amount === undefined ? '' : `${currency} ${formatAmount(amount)}`],
  ];
  const described = parts.filter(([, text]) => text !== '').map(([heading, text]) => `${heading}: ${text}`);
  return `${headings.paymentPart}. ${described.join('. ')}`;
}

function code(payload: string): string {
  const { path, modules } = qrCodePath(payload, 'M');
  const scale = CODE.side / modules;
  const center = { x: CODE.x + CODE.side / 2, y: CODE.y + CODE.side / 2 };
  return (
    `<path transform="translate(${CODE.x} ${CODE.y}) scale(${scale})" shape-rendering="crispEdges" d="${path}"/>` +
    `<g transform="translate(${center.x} ${center.y})"><path fill="#fff" d="M-3.5-3.5h7v7h-7z"/><path d="M-3-3h6v6h-6z"/>` +
    '<path fill="#fff" d="M-.583-1.944h1.166v1.361h1.361v1.166h-1.361v1.361h-1.166v-1.361h-1.361v-1.166h1.361z"/></g>'
  );
}

function separators(): string {
  return (
    `<path fill="none" stroke="#000" stroke-width="${LINE_WIDTH.toFixed(3)}" d="M0 .13h210M62 .13v105"/>` +
    '<g fill="none" stroke="#000" stroke-width=".3" stroke-linecap="round">' +
    `<path transform="translate(5 .13)" d="${SCISSORS}"/><path transform="translate(62 5) rotate(90)" d="${SCISSORS}"/></g>`
  );
}

function drawText({ text, x, y, size, bold }: PlacedText): string {
  return `<text x="${x}" y="${y.toFixed(2)}" ${font(size, bold)}>${escape(text)}</text>`;
}

function font(points: number, bold: boolean): string {
  return `font-size="${(points * MM_PER_POINT).toFixed(3)}"${bold ? ' font-weight="700"' : ''}`;
}

function drawCorners(box: Box): string {
  const [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height].map(
    (length) => Math.round(length * 100) / 100,
  );
  const leg = CORNER_LENGTH;
  const path = `M${left} ${top}m0 ${leg}v-${leg}h${leg}M${right} ${top}m-${leg} 0h${leg}v${leg}M${right} ${bottom}m0-${leg}v${leg}h-${leg}M${left} ${bottom}m${leg} 0h-${leg}v-${leg}`;
  return `<path fill="none" stroke="#000" stroke-width="${LINE_WIDTH.toFixed(3)}" d="${path}"/>`;
}

function escape(text: string): string {
  return Handlebars.Utils.escapeExpression(text);
}
