import { fieldGroup, Type } from '../../../../src/plugin.ts';
import { OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';

export const ImagesBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('ImagesFields', {
      pages: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description:
            'The pages to draw, in this order, such as `"1-3, 5, 10-8"`; `9-` is page 9 to the end. The default is all pages.',
        }),
      ),
      type: Type.Optional(
        Type.Union([Type.Literal('png'), Type.Literal('jpeg'), Type.Literal('webp')], {
          title: 'ImageFormat',
          description: 'The format of the images. The default is png.',
        }),
      ),
      dpi: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 1_200,
          description:
            'Pixels per inch. The default is 100. An image may have at most 24,000,000 pixels, and all images together 1,500,000,000.',
        }),
      ),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'ImagesRequest' },
);
