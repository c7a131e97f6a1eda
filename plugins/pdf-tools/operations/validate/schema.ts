import { Type } from '../../../../src/plugin.ts';
import { PdfInput } from '../../../files/exports.ts';

export const ValidateBody = Type.Object(
  {
    pdf: PdfInput,
    profile: Type.Optional(
      Type.String({
        pattern:
          '^(pdfa-[1-4][abefu]?|pdfua-[12]|factur-x-[a-z0-9-]{1,20}|zugferd-[12]-[a-z0-9-]{1,20}|pades|signature)$',
        expected: 'the name of a profile, such as "pdfa-1b", "pdfua-1" or "factur-x-en16931"',
        description: 'The profile to check. By default, the profiles that the file claims.',
      }),
    ),
  },
  { additionalProperties: false, title: 'ValidateRequest' },
);

export const ValidateResponse = Type.Object(
  {
    claims: Type.Array(Type.String(), {
      description:
        'The profiles that the file claims: in its XMP metadata, such as "pdfa-3b", and by its signatures, "pades" or "signature".',
    }),
    results: Type.Array(
      Type.Object({
        profile: Type.String({ description: 'A claimed profile, or the profile of the request.' }),
        valid: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'Whether the file conforms; null if the profile, or a part of it, cannot be checked.',
        }),
        findings: Type.Array(
          Type.Object({
            clause: Type.String({ description: 'The clause of the standard, such as "6.3.4".' }),
            message: Type.String({ description: 'The violation.' }),
            page: Type.Optional(Type.Integer({ description: 'The page, from 1, if the finding has one.' })),
          }),
          { description: 'Violations, up to 50.' },
        ),
        message: Type.Optional(
          Type.String({
            description: 'Why the profile, or a part of it, cannot be checked. Present if `valid` is null.',
          }),
        ),
      }),
      { description: 'One result for each checked profile.' },
    ),
  },
  { title: 'ValidateResult' },
);
