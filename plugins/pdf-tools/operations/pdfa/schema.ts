import { MAX_METADATA_CHARACTERS } from '@platen/pdf/metadata-limits';
import { fieldGroup, Type } from '../../../../src/plugin.ts';
import { pdfResponseProperties, OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';
import { PdfaLevelName, propertySchemas } from '../../../documents/exports.ts';

const metadataText = (subject: string) =>
  Type.Optional(
    Type.String({
      maxLength: MAX_METADATA_CHARACTERS,
      expected: `a string of at most ${MAX_METADATA_CHARACTERS} characters`,
      description: `${subject} in Info and XMP. The default is the value in the PDF. Control characters become spaces.`,
    }),
  );

export const PdfaBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('PdfaFields', {
      level: Type.Optional(PdfaLevelName),
      title: metadataText('The title'),
      author: metadataText('The author'),
      subject: metadataText('The subject'),
      keywords: Type.Optional(propertySchemas.keywords),
      language: Type.Optional(propertySchemas.language),
      allow_signature_loss: Type.Optional(
        Type.Boolean({
          description: 'Convert signed documents too. Their signatures become images. The default is false.',
        }),
      ),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'PdfaRequest' },
);

export const PdfaResponse = Type.Object(
  {
    ...pdfResponseProperties,
    pdfa: Type.Literal(true, { description: 'The result has been validated as PDF/A of this level.' }),
    level: PdfaLevelName,
    invoice: Type.Optional(
      Type.Union([Type.Literal('kept'), Type.Literal('removed')], {
        description:
          'Present if the PDF had an embedded invoice (Factur-X, ZUGFeRD, XRechnung). The levels 3b and 3u keep the invoice and its entry in the metadata; other levels remove both.',
      }),
    ),
  },
  { title: 'PdfaResult' },
);
