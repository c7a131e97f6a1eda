import { booleanOption, integerOption, optionOf, toText, toChoice, choiceOption } from './arguments.ts';
import { drawBarcode, SYMBOLOGIES, type SymbologyName } from './barcode.ts';
import { reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { drawQrCode } from './qrcode.ts';
import { colorOption, lengthOption, pixels } from './svg.ts';

const BLACK = '#000000';
const DEFAULT_QR_SIZE_PX = 120;
/** The width of the quiet zone that ISO/IEC 18004 requires. */
const QUIET_ZONE_MODULES = 4;
const TYPES = [...Object.keys(SYMBOLOGIES), 'qrcode'] as (SymbologyName | 'qrcode')[];

function qrcode([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  const style = {
    level: choiceOption(call, 'level', ['L', 'M', 'Q', 'H']) ?? 'M',
    marginModules: integerOption(call, 'margin', { min: 0, max: 20 }) ?? QUIET_ZONE_MODULES,
    size: lengthOption(call, 'size') ?? pixels(DEFAULT_QR_SIZE_PX),
    dpi: dpiOption(call),
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
  const dpi = dpiOption(call);
  const showText = booleanOption(call, 'text') ?? true;
  const color = foregroundColor(call);
  if (text === '') return '';
  if (type !== 'qrcode') return drawBarcode(text, type, { width, height, dpi, showText, color });
  const size = width ?? height ?? pixels(DEFAULT_QR_SIZE_PX);
  return drawQrCode(text, {
    level: 'M',
    marginModules: QUIET_ZONE_MODULES,
    size,
    dpi,
    color,
    background: null,
  });
}

function dpiOption(call: HelperCall): number | undefined {
  return integerOption(call, 'dpi', { min: 72, max: 2_400 });
}

function foregroundColor(call: HelperCall): string {
  const color = colorOption(call, 'color');
  return color === undefined ? BLACK : (color ?? reject('color= as a visible colour', 'none'));
}

/** Helpers that draw machine-readable codes as inline SVG. */
export const codeHelpers: readonly TemplateHelper[] = [
  {
    name: 'qrcode',
    signature: 'text size= margin= level= color= background= dpi=',
    description:
      'Draws a QR code as inline SVG. `size` is a number of pixels or an absolute CSS length; the default is 120px. `margin` is the width of the quiet zone in modules, 4 by default. `level` is the error correction level: `L`, `M` (default), `Q` or `H`. `color` and `background` are CSS colours, by default black and transparent. With `dpi`, each module is a whole number of dots of a printer with that resolution, so the code is at most as large as `size`.',
    examples: [
      {
        template: '{{qrcode url size="30mm" margin=0}}',
        data: { url: 'https://example.com' },
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="30mm" height="30mm" viewBox="0 0 25 25">…</svg>',
      },
    ],
    argumentCount: [1, 1],
    options: ['size', 'margin', 'level', 'color', 'background', 'dpi'],
    output: 'html',
    run: qrcode,
  },
  {
    name: 'barcode',
    signature: 'text type= height= width= text= color= dpi=',
    description: `Draws a barcode as inline SVG. \`type\` is one of ${TYPES.map((type) => `\`${type}\``).join(', ')}. \`width\` and \`height\` are the size of the whole drawing. By default, a module is 0.33 mm wide, and a code with bars is 15mm high. A \`qrcode\` is a square whose side is \`width\`, or else \`height\`, or else 120px. \`text=false\` leaves out the text below the bars. With \`dpi\`, each module is a whole number of dots of a printer with that resolution, so the drawing is at most as wide as \`width\`.`,
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
      {
        template: '{{barcode "ABC-123" width="82mm" dpi=203}}',
        output:
          '<svg xmlns="http://www.w3.org/2000/svg" width="264.8276px" height="15mm" viewBox="0 0 112 24" …>…</svg>',
      },
    ],
    argumentCount: [1, 1],
    options: ['type', 'height', 'width', 'text', 'color', 'dpi'],
    output: 'html',
    run: barcode,
  },
];
