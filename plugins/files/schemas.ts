import { FileInput, nullable, pageOf, pageQuery, Timestamp, Type, type Static } from '../../src/plugin.ts';
import { referenceFilter, resultResponseProperties, resultFields, testFilter } from './result-properties.ts';

/** The body of `POST /v1/files`. */
export const UploadBody = Type.Object(
  {
    file: FileInput({
      expected: 'a PDF or an office document as a file part or a base64 string',
      description: 'A PDF or an office document of at most 27,000,000 bytes; in JSON as base64.',
    }),
    ...resultFields,
  },
  { additionalProperties: false, title: 'UploadRequest' },
);

/** The query of `GET /v1/files`. */
export const FileQuery = Type.Object({
  ...pageQuery(50).properties,
  ...referenceFilter,
  ...testFilter,
});

export const PageImageQuery = Type.Object({
  width: Type.Integer({
    minimum: 16,
    maximum: 4_000,
    default: 800,
    description:
      'The width of the image in pixels. The image of a very tall page is narrower, with at most 24 megapixels.',
  }),
});

export const FileResponse = Type.Object(
  {
    id: Type.String({ description: 'Accepted wherever a request takes a PDF.' }),
    operation: Type.String({ description: 'The operation that made the file, such as merge; or upload.' }),
    pages: nullable(Type.Integer({ description: 'Null if the file needs a password or is not a PDF.' })),
    file_size: Type.Integer({ description: 'Bytes.' }),
    ...resultResponseProperties,
    created_at: Timestamp,
    url: Type.String({ description: 'A link that needs no API key, valid for 30 days.' }),
  },
  { title: 'File' },
);

/** A file on the wire. */
export type FileResponse = Static<typeof FileResponse>;

/** The data of the event `file.created`. */
export const CreatedFile = Type.Object(
  {
    ...FileResponse.properties,
    url: nullable(
      Type.String({
        description: 'A link that needs no API key, valid for 30 days; null in `GET /v1/events`.',
      }),
    ),
  },
  { title: 'CreatedFile' },
);

/** A page of files, newest first. */
export const FileList = pageOf(FileResponse, 'FileList');

export const fileRecordExample: FileResponse = {
  id: 'file_9aB8cD7eF6gH5iJ4kL3mN2oP',
  operation: 'merge',
  pages: 12,
  file_size: 48_211,
  file_name: null,
  reference: null,
  metadata: {},
  created_at: '2026-11-22T09:30:00.000Z',
  expires_at: null,
  test: false,
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
};

/** The webhook messages about files, for the documentation. */
export const fileWebhooks = {
  'file.created': {
    summary: 'A file is stored',
    description: 'Sent for the result of a PDF operation, and for an upload.',
    data: CreatedFile,
    example: fileRecordExample,
  },
};
