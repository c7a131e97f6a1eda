import {
  FileInput,
  OutputChoice,
  PdfInput,
  resultFields,
  Type,
  markSchemas,
} from '../../../../src/plugin.ts';

const { text, pages, position, opacity, rotation, scale, fontSize, color, tile, layer } = markSchemas;

/** The body of `POST /v1/pdf/watermark` and `POST /v1/pdf/stamp`. */
export const WatermarkBody = Type.Object(
  {
    pdf: PdfInput,
    text: Type.Optional(text),
    image: Type.Optional(
      FileInput({
        expected: 'an image as a base64 string',
        description: 'A PNG, JPEG, WebP or GIF image in base64, up to 5,000,000 bytes.',
      }),
    ),
    overlay: Type.Optional({
      ...PdfInput,
      description:
        'A PDF, or the id of a stored PDF. Its pages are drawn on the marked pages in order, and the last one is repeated.',
    }),
    pages: Type.Optional(pages),
    position: Type.Optional(position),
    opacity: Type.Optional(opacity),
    rotation: Type.Optional(rotation),
    scale: Type.Optional(scale),
    font_size: Type.Optional(fontSize),
    color: Type.Optional(color),
    tile: Type.Optional(tile),
    layer: Type.Optional(layer),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'WatermarkRequest' },
);
