/** What a caller of a plain invoice can give to satisfy a rule, where its field alone does not say so. */
const ADVICE: Readonly<Record<string, string>> = {
  'BR-CO-25': 'give "due" or "payment.terms"',
  'BR-CO-26': 'give "seller.vat_id", "seller.registration_number" or "seller.id"',
  'BR-DE-1': 'give "payment", for example with "iban"',
  'BR-DE-15': 'give "buyer.reference"; for German authorities it is the Leitweg-ID',
  'BR-DE-2': 'give "seller.contact", "seller.phone" and "seller.email"',
  'BR-E-10': 'give the reason with the VAT, as in {"category": "exempt", "reason": "…"}',
  'BR-IC-11': 'give "delivery_date" or "period"',
  'BR-IC-12': 'give "delivery_address.country"',
  'PEPPOL-EN16931-R010': 'give "buyer.email" or "buyer.electronic_address"',
  'PEPPOL-EN16931-R020': 'give "seller.email" or "seller.electronic_address"',
};

/** Returns the message of a rule with the fields of a plain invoice that satisfy it. */
export function withAdvice(rule: string, message: string): string {
  const advice = ADVICE[rule];
  return advice === undefined ? message : `${message}: ${advice}`;
}
