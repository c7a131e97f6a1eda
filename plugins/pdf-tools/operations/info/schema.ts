import { nullable, Type } from '../../../../src/plugin.ts';
import { PdfInput } from '../../../files/exports.ts';

export const InfoBody = Type.Object({ pdf: PdfInput }, { additionalProperties: false, title: 'InfoRequest' });

export const InfoResponse = Type.Object(
  {
    pages: Type.Integer(),
    title: Type.String(),
    author: Type.String(),
    subject: Type.String(),
    creator: Type.String(),
    producer: Type.String(),
    creation_date: nullable(Type.String({ description: 'ISO 8601 in UTC; null if absent or malformed.' })),
    modification_date: nullable(Type.String()),
    file_size: Type.Integer({ description: 'The size in bytes.' }),
    encrypted: Type.Boolean({ description: 'The file is encrypted but opens without a password.' }),
    pdf_version: Type.String(),
    page_sizes: Type.Array(
      Type.Object({ width: Type.Number(), height: Type.Number(), count: Type.Integer() }),
      { description: 'The distinct page sizes in points, as displayed after cropping and rotation.' },
    ),
    has_form: Type.Boolean(),
    has_signatures: Type.Boolean(),
    tagged: Type.Boolean(),
    pdfa: nullable(
      Type.String({
        description: 'The PDF/A level that the metadata claims, such as "1B". It is not verified.',
      }),
    ),
  },
  { title: 'PdfInfo' },
);
