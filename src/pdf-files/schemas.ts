import { Type, type Static } from '@sinclair/typebox';
import { FileInput } from '../http/body/file-input.ts';
import { nullable } from '../http/nullable.ts';
import { pageQuery } from '../http/paging.ts';
import { referenceFilter, resultAnswerProperties, resultFields } from '../result-record.ts';

/** The body of `POST /v1/files`. */
export const UploadBody = Type.Object(
  {
    file: FileInput({
      expected: 'a PDF as a file part or a base64 string',
      description: 'A PDF of at most 27,000,000 bytes; in JSON as base64.',
    }),
    ...resultFields,
  },
  { additionalProperties: false, title: 'UploadRequest' },
);

/** The query of `GET /v1/files`. */
export const FileQuery = Type.Object({
  ...pageQuery(50).properties,
  ...referenceFilter,
});

/** The query of an image of a page. */
export const PageImageQuery = Type.Object({
  width: Type.Integer({
    minimum: 16,
    maximum: 4_000,
    default: 800,
    description:
      'The width of the image in pixels. The image of a very tall page is narrower, with at most 24 megapixels.',
  }),
});

/** A file in a response. */
export const FileAnswer = Type.Object(
  {
    id: Type.String({ description: 'Accepted wherever a request takes a PDF.' }),
    operation: Type.String({ description: 'The operation that made the file, such as merge; or upload.' }),
    pages: nullable(Type.Integer({ description: 'Null if the file needs a password.' })),
    file_size: Type.Integer({ description: 'Bytes.' }),
    ...resultAnswerProperties,
    created_at: Type.String({ description: 'ISO 8601, UTC, milliseconds.' }),
    url: Type.String({ description: 'A link that needs no API key, valid for 30 days.' }),
  },
  { title: 'File' },
);

/** A file on the wire. */
export type FileAnswer = Static<typeof FileAnswer>;

/** A page of files, newest first. */
export const FileList = Type.Object(
  { data: Type.Array(FileAnswer), has_more: Type.Boolean() },
  { title: 'FileList' },
);

/** An example of a file. */
export const fileRecordExample: FileAnswer = {
  id: 'file_9aB8cD7eF6gH5iJ4kL3mN2oP',
  operation: 'merge',
  pages: 12,
  file_size: 48_211,
  file_name: null,
  reference: null,
  metadata: {},
  created_at: '2026-11-22T09:30:00.000Z',
  expires_at: null,
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
};
