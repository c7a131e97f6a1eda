/**
 * The operators of PDF 1.4 (PDF Reference 1.4, appendix A), without `ID` and `EI`, which are part of an
 * inline image. PDF/A forbids all others, even between `BX` and `EX`.
 */
export const OPERATORS: ReadonlySet<string> = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(
    ' ',
  ),
);

export const PATH_PAINTING: ReadonlySet<string> = new Set(['b', 'B', 'b*', 'B*', 'f', 'F', 'f*', 's', 'S']);

/** Operators that paint anything other than the path. */
export const PAINTING: ReadonlySet<string> = new Set(['Do', 'sh', 'BI', 'Tj', 'TJ', "'", '"']);

/** The standard rendering intents (ISO 19005-1 6.2.9). */
export const INTENTS: ReadonlySet<string> = new Set([
  'RelativeColorimetric',
  'AbsoluteColorimetric',
  'Perceptual',
  'Saturation',
]);

/** The blend modes of ISO 32000-1 11.3.5. */
export const BLEND_MODES: ReadonlySet<string> = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
);
