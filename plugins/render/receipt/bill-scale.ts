/** The attribute of a Swiss QR-bill, which the helper `swissQrBill` writes. */
export const BILL_MARK = 'data-swiss-qr-bill';

/**
 * Returns the width of a Swiss QR-bill relative to the prescribed 210 mm, of the bill that differs most from
 * it; 1 for a document without a visible bill. It calls methods through prototypes, because elements of the
 * document may replace them.
 */
export const FIND_BILL_SCALE = `(() => {
  const bills = Document.prototype.querySelectorAll.call(document, 'svg[${BILL_MARK}]');
  let found = 1;
  for (const bill of bills) {
    const { width } = Element.prototype.getBoundingClientRect.call(bill);
    const scale = width / 96 * 25.4 / 210;
    if (scale > 0 && Math.abs(scale - 1) > Math.abs(found - 1)) found = scale;
  }
  return found;
})()`;
