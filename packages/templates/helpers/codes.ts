import { booleanOption, integerOption, optionOf, toText, toWord, wordOption } from './arguments.ts';
import { drawBarcode, SYMBOLOGIES, type SymbologyName } from './barcode.ts';
import { refuse, type HelperCall, type TemplateHelper } from './definition.ts';
import { drawQrCode } from './qrcode.ts';
import { colorOption, lengthOption, pixels } from './svg.ts';

const BLACK = '#000000';
const QR_SIZE_PX = 120;
const QUIET_ZONE = 4;
const TYPES = [...Object.keys(SYMBOLOGIES), 'qrcode'] as (SymbologyName | 'qrcode')[];

function qrcode([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  const style = {
    level: wordOption(call, 'level', ['L', 'M', 'Q', 'H']) ?? 'M',
    marginModules: integerOption(call, 'margin', { min: 0, max: 20 }) ?? QUIET_ZONE,
    size: lengthOption(call, 'size') ?? pixels(QR_SIZE_PX),
    color: inkOf(call),
    background: colorOption(call, 'background') ?? null,
  } as const;
  return text === '' ? '' : drawQrCode(text, style);
}

function barcode([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  const type = toWord(optionOf(call, 'type') ?? 'code128', 'type=', TYPES);
  const width = lengthOption(call, 'width');
  const height = lengthOption(call, 'height');
  const showText = booleanOption(call, 'text') ?? true;
  const color = inkOf(call);
  if (text === '') return '';
  if (type !== 'qrcode') return drawBarcode(text, type, { width, height, showText, color });
  const size = width ?? height ?? pixels(QR_SIZE_PX);
  return drawQrCode(text, { level: 'M', marginModules: QUIET_ZONE, size, color, background: null });
}

function inkOf(call: HelperCall): string {
  const color = colorOption(call, 'color');
  return color === undefined ? BLACK : (color ?? refuse('color= as a colour that can be seen', 'none'));
}

/** Helpers that draw codes for machines, as inline SVG. */
export const codeHelpers: readonly TemplateHelper[] = [
  {
    name: 'qrcode',
    signature: 'text size= margin= level= color= background=',
    sentence:
      'Makes a QR code as inline SVG. `size` is a number of pixels or an absolute CSS length (120px by default), `margin` the quiet zone in modules (4), `level` the error correction `L`, `M` (default), `Q` or `H`; colours are CSS colours, the background is transparent.',
    examples: [
      {
        template: '{{qrcode url size="30mm" margin=0}}',
        data: { url: 'https://example.com' },
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="30mm" height="30mm" viewBox="0 0 25 25">…</svg>',
      },
    ],
    takes: [1, 1],
    options: ['size', 'margin', 'level', 'color', 'background'],
    output: 'html',
    run: qrcode,
  },
  {
    name: 'barcode',
    signature: 'text type= height= width= text= color=',
    sentence: `Makes a barcode as inline SVG. \`type\` is one of ${TYPES.map((type) => `\`${type}\``).join(', ')}. \`width\` and \`height\` are those of the whole drawing (by default 0.33 mm a module, and 15mm for bars); \`text=false\` leaves out the text below the bars.`,
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
    takes: [1, 1],
    options: ['type', 'height', 'width', 'text', 'color'],
    output: 'html',
    run: barcode,
  },
];
