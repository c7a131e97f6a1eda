import { booleanOption, integerOption, optionOf, toText, toChoice, choiceOption } from './arguments.ts';
import { drawBarcode, SYMBOLOGIES, type SymbologyName } from './barcode.ts';
import { reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { drawQrCode } from './qrcode.ts';
import { colorOption, lengthOption, pixels } from './svg.ts';

const BLACK = '#000000';
const QR_SIZE_PX = 120;
const QUIET_ZONE = 4;
const TYPES = [...Object.keys(SYMBOLOGIES), 'qrcode'] as (SymbologyName | 'qrcode')[];

function qrcode([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  const style = {
    level: choiceOption(call, 'level', ['L', 'M', 'Q', 'H']) ?? 'M',
    marginModules: integerOption(call, 'margin', { min: 0, max: 20 }) ?? QUIET_ZONE,
    size: lengthOption(call, 'size') ?? pixels(QR_SIZE_PX),
    color: foregroundColor(call),
    background: colorOption(call, 'background') ?? null,
  } as const;
  return text === '' ? '' : drawQrCode(text, style);
}

function barcode([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  const type = toChoice(optionOf(call, 'type') ?? 'code128', 'type=', TYPES);
  const width = lengthOption(call, 'width');
  const height = lengthOption(call, 'height');
  const showText = booleanOption(call, 'text') ?? true;
  const color = foregroundColor(call);
  if (text === '') return '';
  if (type !== 'qrcode') return drawBarcode(text, type, { width, height, showText, color });
  const size = width ?? height ?? pixels(QR_SIZE_PX);
  return drawQrCode(text, { level: 'M', marginModules: QUIET_ZONE, size, color, background: null });
}

function foregroundColor(call: HelperCall): string {
  const color = colorOption(call, 'color');
  return color === undefined ? BLACK : (color ?? reject('color= as a visible colour', 'none'));
}

/** Helpers that draw machine-readable codes as inline SVG. */
export const codeHelpers: readonly TemplateHelper[] = [
  {
    name: 'qrcode',
    signature: 'text size= margin= level= color= background=',
    description:
      'Draws a QR code as inline SVG. `size` is a number of pixels or an absolute CSS length (120px by default), `margin` the quiet zone in modules (4), `level` the error correction `L`, `M` (default), `Q` or `H`; colours are CSS colours, the background is transparent.',
    examples: [
      {
        template: '{{qrcode url size="30mm" margin=0}}',
        data: { url: 'https://example.com' },
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="30mm" height="30mm" viewBox="0 0 25 25">…</svg>',
      },
    ],
    argumentCount: [1, 1],
    options: ['size', 'margin', 'level', 'color', 'background'],
    output: 'html',
    run: qrcode,
  },
  {
    name: 'barcode',
    signature: 'text type= height= width= text= color=',
    description: `Draws a barcode as inline SVG. \`type\` is one of ${TYPES.map((type) => `\`${type}\``).join(', ')}. \`width\` and \`height\` apply to the whole drawing (by default 0.33 mm per module, and 15mm for bars); \`text=false\` leaves out the text below the bars.`,
    examples: [
      {
        template: '{{barcode "590123412345" type="ean13" height="20mm"}}',
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="133.75px" height="20mm" viewBox="0 0 107 60">…</svg>',
      },
      {
        template: '{{barcode number text=false color="#1a2b3c"}}',
        data: { number: 'ABC-123' },
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="140px" height="15mm" viewBox="0 0 112 45">…</svg>',
      },
    ],
    argumentCount: [1, 1],
    options: ['type', 'height', 'width', 'text', 'color'],
    output: 'html',
    run: barcode,
  },
];
