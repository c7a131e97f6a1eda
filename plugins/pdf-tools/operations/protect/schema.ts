import { Type } from '../../../../src/plugin.ts';
import { OutputChoice, pdfResponseProperties, PdfInput, resultFields } from '../../../files/exports.ts';
import { protectSchemas } from '../../../documents/exports.ts';

export const ProtectBody = Type.Object(
  {
    pdf: PdfInput,
    owner_password: protectSchemas.ownerPassword,
    user_password: Type.Optional(protectSchemas.userPassword),
    permissions: Type.Optional(protectSchemas.permissions),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'ProtectRequest' },
);

export const ProtectResponse = Type.Object(
  { ...pdfResponseProperties, protected: Type.Literal(true, { description: 'The PDF is encrypted.' }) },
  { title: 'ProtectResult' },
);
