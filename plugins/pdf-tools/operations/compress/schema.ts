import { fieldGroup, Type } from '../../../../src/plugin.ts';
import { OutputChoice, pdfResponseProperties, PdfInput, resultFields } from '../../../files/exports.ts';

export const CompressBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('CompressFields', {
      image_dpi: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 1_200,
          description:
            'Images with a higher resolution, as displayed, are downsampled to it, in pixels per inch. The default is 150.',
        }),
      ),
      image_quality: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'The quality of JPEG images. The default is 75.',
        }),
      ),
      allow_signature_loss: Type.Optional(
        Type.Boolean({
          description:
            'Compress signed documents too. The appearance of a signature becomes a Stamp annotation. The default is false.',
        }),
      ),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'CompressRequest' },
);

export const CompressResponse = Type.Object(
  {
    ...pdfResponseProperties,
    original_size: Type.Integer({ description: 'The size of the PDF in the request, in bytes.' }),
    saved_bytes: Type.Integer({
      description: 'How much smaller the result is; 0 if the PDF could not be made smaller and is unchanged.',
    }),
  },
  { title: 'CompressResult' },
);
