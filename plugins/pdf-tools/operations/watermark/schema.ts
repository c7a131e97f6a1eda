import { FileInput, Type } from '../../../../src/plugin.ts';
import { OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';
import { markFields, markSchemas } from '../../../documents/exports.ts';

const { text, pages, position, offset, margin, opacity, rotation, scale, color, tile, layer } = markFields;

/** The body of `POST /v1/pdf/watermark` and `POST /v1/pdf/stamp`. */
export const WatermarkBody = Type.Object(
  {
    pdf: PdfInput,
    text,
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
    pages,
    position,
    offset,
    margin,
    opacity,
    rotation,
    scale,
    relative_size: Type.Optional(markSchemas.relativeSize),
    font_size: Type.Optional(markSchemas.fontSize),
    color,
    tile,
    layer,
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'WatermarkRequest' },
);
