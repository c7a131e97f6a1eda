import { fieldGroup, FileInput, Type } from '../../../../src/plugin.ts';
import { OutputChoice, optionalPdfProperties, PdfInput, resultFields } from '../../../files/exports.ts';
import { attachmentSchemas } from '../../../documents/exports.ts';

const { name, mimeType, description, relationship } = attachmentSchemas;
const names = (action: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
      title: 'AttachmentNames',
      maxItems: 1_000,
      description: `The names of the attachments to ${action}.`,
    }),
  );

export const AttachmentsBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('AttachmentsFields', {
      add: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name,
              data: FileInput({ expected: 'a base64 string', description: 'The content in base64.' }),
              mime_type: Type.Optional(mimeType),
              description: Type.Optional(description),
              relationship: Type.Optional(relationship),
            },
            { additionalProperties: false, title: 'NewAttachment' },
          ),
          {
            maxItems: 100,
            description: 'Attachments to add: up to 100, with 25,000,000 bytes in total.',
          },
        ),
      ),
      remove: names('remove'),
      extract: names('return with their content'),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'AttachmentsRequest' },
);

const nullable = (text: string) => Type.Union([Type.String(), Type.Null()], { description: text });

/** The response of `POST /v1/pdf/attachments`: the attachments, or the changed PDF. */
export const AttachmentsResponse = Type.Partial(
  Type.Object({
    attachments: Type.Array(
      Type.Object({
        name: Type.String({
          description:
            'The name in the PDF, which `extract` and `remove` take. It may contain any characters.',
        }),
        file_name: Type.String({
          description:
            'A safe and unique name for storing the file, without folders, control characters or a leading dot.',
        }),
        size: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The size in bytes; null if the PDF does not state it.',
        }),
        mime_type: nullable('The media type, such as "text/csv"; null if the PDF does not state it.'),
        description: nullable('The description; null if absent.'),
        relationship: Type.Union([relationship, Type.Null()]),
        modified_at: nullable('ISO 8601 in UTC; null if absent or malformed.'),
        data: Type.Optional(Type.String({ description: 'The content in base64; present with `extract`.' })),
      }),
    ),
    ...optionalPdfProperties,
  }),
  { title: 'AttachmentsResult' },
);
