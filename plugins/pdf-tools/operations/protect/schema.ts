import {
  OutputChoice,
  pdfAnswerProperties,
  PdfInput,
  resultFields,
  Type,
  protectSchemas,
} from '../../../../src/plugin.ts';

/** The body of `POST /v1/pdf/protect`. */
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

/** The response of `POST /v1/pdf/protect`. */
export const ProtectAnswer = Type.Object(
  { ...pdfAnswerProperties, protected: Type.Literal(true, { description: 'The PDF is encrypted.' }) },
  { title: 'ProtectResult' },
);
