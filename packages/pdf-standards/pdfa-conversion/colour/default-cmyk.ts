import { Dict, name, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';

/**
 * The RGB colours (0 to 255) of the sixteen corners of the CMYK cube, as poppler renders them. Cyan varies
 * fastest. Readers interpolate between the corners, as poppler does for `DeviceCMYK`.
 */
const CORNERS = [
  [255, 255, 255],
  [0, 173, 239],
  [236, 0, 140],
  [46, 49, 146],
  [255, 242, 0],
  [0, 166, 80],
  [237, 28, 36],
  [54, 54, 57],
  [35, 31, 32],
  [0, 15, 36],
  [36, 0, 0],
  [0, 0, 2],
  [28, 26, 0],
  [0, 19, 0],
  [34, 0, 0],
  [0, 0, 0],
] as const;

const COLORANTS = ['Cyan', 'Magenta', 'Yellow', 'Black'];

/**
 * Builds the default colour space for `DeviceCMYK` (ISO 32000-1 8.6.5.6): a DeviceN space that maps the
 * process colours to RGB.
 */
export function buildDefaultCmyk(): Ref {
  const functionDict = Dict.of({
    FunctionType: 0,
    Domain: [0, 1, 0, 1, 0, 1, 0, 1],
    Range: [0, 1, 0, 1, 0, 1],
    Size: [2, 2, 2, 2],
    BitsPerSample: 8,
  });
  const samples = Uint8Array.from(CORNERS.flat());
  const space: PdfObject[] = [
    name('DeviceN'),
    COLORANTS.map((colorant) => name(colorant)),
    name('DeviceRGB'),
    Ref.to(new PdfStream(functionDict, samples)),
  ];
  return Ref.to(space);
}
