/** The languages of a Swiss QR-bill. */
export const BILL_LANGUAGES = ['de', 'fr', 'it', 'en'] as const;

/** A language of a Swiss QR-bill. */
export type BillLanguage = (typeof BILL_LANGUAGES)[number];

/** The headings of a Swiss QR-bill, as the style guide writes them. */
export interface BillHeadings {
  paymentPart: string;
  account: string;
  reference: string;
  additionalInformation: string;
  currency: string;
  amount: string;
  receipt: string;
  acceptancePoint: string;
  payableBy: string;
  payableByBlank: string;
}

/** The headings by language. */
export const BILL_HEADINGS: Readonly<Record<BillLanguage, BillHeadings>> = {
  de: {
    paymentPart: 'Zahlteil',
    account: 'Konto / Zahlbar an',
    reference: 'Referenz',
    additionalInformation: 'Zusätzliche Informationen',
    currency: 'Währung',
    amount: 'Betrag',
    receipt: 'Empfangsschein',
    acceptancePoint: 'Annahmestelle',
    payableBy: 'Zahlbar durch',
    payableByBlank: 'Zahlbar durch (Name/Adresse)',
  },
  fr: {
    paymentPart: 'Section paiement',
    account: 'Compte / Payable à',
    reference: 'Référence',
    additionalInformation: 'Informations supplémentaires',
    currency: 'Monnaie',
    amount: 'Montant',
    receipt: 'Récépissé',
    acceptancePoint: 'Point de dépôt',
    payableBy: 'Payable par',
    payableByBlank: 'Payable par (nom/adresse)',
  },
  it: {
    paymentPart: 'Sezione pagamento',
    account: 'Conto / Pagabile a',
    reference: 'Riferimento',
    additionalInformation: 'Informazioni supplementari',
    currency: 'Valuta',
    amount: 'Importo',
    receipt: 'Ricevuta',
    acceptancePoint: 'Punto di accettazione',
    payableBy: 'Pagabile da',
    payableByBlank: 'Pagabile da (nome/indirizzo)',
  },
  en: {
    paymentPart: 'Payment part',
    account: 'Account / Payable to',
    reference: 'Reference',
    additionalInformation: 'Additional information',
    currency: 'Currency',
    amount: 'Amount',
    receipt: 'Receipt',
    acceptancePoint: 'Acceptance point',
    payableBy: 'Payable by',
    payableByBlank: 'Payable by (name/address)',
  },
};
