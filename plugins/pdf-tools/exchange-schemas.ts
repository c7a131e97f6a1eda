import { LongText, Type } from '../../src/plugin.ts';

/** A PDF in the body of a request. */
export const Pdf = LongText({
  expected: 'a PDF as a string in base64',
  description:
    'A PDF in base64, at most 27,000,000 bytes decoded. The prefix `data:application/pdf;base64,` is accepted.',
});

/** How the result is to be handed over. */
export const OutputChoice = Type.Optional(
  Type.Union([Type.Literal('url'), Type.Literal('base64')], {
    description: 'A link to the stored file (url, when absent), or the file itself.',
  }),
);

/** The properties of an answer that carries a PDF. */
export const fileProperties = {
  url: Type.Optional(Type.String({ description: 'A link that needs no key, with output url.' })),
  data: Type.Optional(
    LongText({ expected: 'base64', description: 'The PDF in base64, with output base64.' }),
  ),
  file_size: Type.Integer({ description: 'Bytes.' }),
};

/** A PDF as an answer carries it. */
export const FileAnswer = Type.Object(fileProperties);
