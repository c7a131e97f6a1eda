import { choiceOption } from '../arguments.ts';
import type { HelperCall, TemplateHelper } from '../definition.ts';
import { dataLanguage, labelOf } from '../labels.ts';
import { drawQrCode } from '../qrcode.ts';
import { lengthOption, pixels } from '../svg.ts';
import { readCreditTransfer } from './epc.ts';
import { inFours } from './iban.ts';
import { readSwissBill } from './swiss-bill.ts';
import { drawSwissBill } from './swiss-drawing.ts';
import { BILL_LANGUAGES } from './swiss-headings.ts';

const DEFAULT_SIZE_PX = 120;
const QUIET_ZONE_MODULES = 4;
/** Cameras of telephones do not read smaller modules reliably. */
const MIN_MODULE_MM = 0.25;

function epcQr(_: readonly unknown[], call: HelperCall): string {
  const { name, iban, amount, payload } = readCreditTransfer(call);
  const size = lengthOption(call, 'size') ?? pixels(DEFAULT_SIZE_PX);
  const text = [name, inFours(iban), amount === '' ? '' : `EUR ${amount}`].filter(Boolean).join(', ');
  return drawQrCode(payload, {
    level: 'M',
    marginModules: QUIET_ZONE_MODULES,
    minModuleMm: MIN_MODULE_MM,
    size,
    color: '#000000',
    background: null,
    label: labelOf(['qr_code'], { ...call, options: { text } }),
  });
}

function swissQrBill(_: readonly unknown[], call: HelperCall): string {
  const bill = readSwissBill(call);
  const language = choiceOption(call, 'language', BILL_LANGUAGES);
  const inData = BILL_LANGUAGES.find((each) => language === undefined && each === dataLanguage(call));
  return drawSwissBill(bill, language ?? inData ?? 'en');
}

/** Helpers that draw codes for banking apps as inline SVG. */
export const paymentHelpers: readonly TemplateHelper[] = [
  {
    name: 'epcQr',
    signature: 'name= iban= amount= bic= reference= text= size=',
    description:
      'Draws a QR code from which banking apps fill in a SEPA credit transfer (EPC069-12, also known as GiroCode). `name` is the payee. `amount` is in euro; without it, the payer enters it. `reference` is a creditor reference (`RF…`); `text` is any other text for the payee. Only one of them is permitted. `bic` is required for accounts outside of the European Economic Area. `size` is a number of pixels or an absolute CSS length; the default is 120px. Each module of the code must be at least 0.25 mm wide, so the minimum size is 11 to 20 mm.',
    examples: [
      {
        template: '{{epcQr name=name iban=iban amount=total text=number}}',
        data: { name: 'Stadtwerke', iban: 'DE89 3704 0044 0532 0130 00', total: 12.5, number: 'Invoice 7' },
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="120px" height="120px" viewBox="0 0 45 45" …>…</svg>',
      },
    ],
    argumentCount: [0, 0],
    options: ['name', 'iban', 'amount', 'bic', 'reference', 'text', 'size'],
    requiredOptions: ['name', 'iban'],
    output: 'html',
    run: epcQr,
  },
  {
    name: 'swissQrBill',
    signature: 'iban= creditor= amount= currency= reference= debtor= message= language=',
    description:
      'Draws the receipt and the payment part of a Swiss QR-bill, 210 x 105 mm, for the foot of a page without side margins. `creditor` and `debtor` are objects with `name`, `street`, `house_number`, `postcode`, `town` and `country`; `street` and `house_number` may be absent. They may also be parties of an invoice: the fields except `name` may be in `address`, and `city` is the town. A QR-IBAN takes a QR reference of 27 digits; another IBAN takes a creditor reference (`RF…`) or none. `currency` is `CHF` (default) or `EUR`. Without `amount` or `debtor`, there is a blank field. `message` is the additional information. `language` is `de`, `fr`, `it` or `en`; the default is the language of the data’s `locale`, otherwise `en`.',
    examples: [
      {
        template: '{{swissQrBill iban=iban creditor=seller amount=total language="en"}}',
        data: {
          iban: 'CH93 0076 2011 6238 5295 7',
          seller: {
            name: 'Muster AG',
            street: 'Seeweg',
            house_number: '7',
            postcode: '9001',
            town: 'St. Gallen',
            country: 'CH',
          },
          total: 1949.75,
        },
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="105mm" viewBox="0 0 210 105" …>…</svg>',
      },
    ],
    argumentCount: [0, 0],
    options: ['iban', 'creditor', 'amount', 'currency', 'reference', 'debtor', 'message', 'language'],
    requiredOptions: ['iban', 'creditor'],
    output: 'html',
    run: swissQrBill,
  },
];
