import { Dict, name, PdfStream, Ref, type PdfObject } from '../../objects/index.ts';

/**
 * Red, green and blue, in 255ths, of the sixteen corners of the CMYK cube, cyan changing fastest: what process inks look like
 * in poppler. Between the corners readers interpolate, as poppler and others do with `DeviceCMYK`.
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

/** Makes the colour space that stands for `DeviceCMYK` (ISO 32000-1 8.6.5.6): inks whose colours are known, in terms of RGB. */
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
