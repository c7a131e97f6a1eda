import { isUtf8 } from 'node:buffer';
import { AppError, readFormParts, Type, type BodyKind, type TSchema } from '../../../src/plugin.ts';
import type { Fields } from './fields.ts';
import { Form, invalidForm } from './form.ts';

const KIND = 'gotenberg-form';
/** Of all fields that are not files. Go keeps 10 MB, but parsing them would delay other requests. */
const MAX_TEXT_BYTES = 1_000_000;

/**
 * Bodies of multipart/form-data as Gotenberg reads them. Their value is a {@link Form}. Every media type is
 * accepted here, so that the error for another one is Gotenberg's.
 */
export const formBody: BodyKind = {
  name: KIND,
  label: 'form data',
  mediaType: 'multipart/form-data',
  accepts: () => true,
  createReader: () => async (body) => {
    const contentType = body.headers.get('content-type') ?? '';
    if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType.trim()))
      throw unsupported("want 'multipart/form-data'");
    if (!/;\s*boundary=/i.test(contentType)) throw unsupported('no boundary');
    const parts = await readFormParts(body).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'VALIDATION_ERROR' ? malformed(error) : error;
    });
    const form = new Form();
    let textBytes = 0;
    for (const { name, fileName, content } of parts)
      if (fileName === undefined) {
        textBytes += content.length;
        if (textBytes > MAX_TEXT_BYTES)
          throw invalidForm([`the form fields that are no files are larger than ${MAX_TEXT_BYTES} bytes`]);
        form.addValue(name, readText(content));
      } else if (fileName !== '') form.addFile(name, fileName, content);
    return form;
  },
  describe: (schema) => (schema as { form?: typeof schema }).form ?? schema,
};

/** Describes the body of a route with these fields. The handler gets a {@link Form}. */
export function bodyOf(fields: Fields) {
  const parts = Map.groupBy(Object.entries(fields), ([name, { part }]) => part ?? name);
  const properties = [...parts].map(([name, sharing]) => {
    const schemas = sharing.map(([, { schema }]) => schema);
    const description = schemas.map((schema) => schema.description).join(' ');
    const schema = { ...schemas[0], description } as TSchema;
    return [name, sharing.some(([, { isRequired }]) => isRequired) ? schema : Type.Optional(schema)];
  });
  const form = Type.Object(Object.fromEntries(properties));
  return { kind: KIND, schema: Type.Unsafe<Form>(Type.Any({ form })) };
}

function readText(content: Buffer): string {
  // Some clients send ISO 8859-1.
  return content.toString(isUtf8(content) ? 'utf8' : 'latin1');
}

function unsupported(reason: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `Invalid 'Content-Type' header value: ${reason}`);
}

function malformed(cause: AppError): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    "Malformed body: it does not match the 'Content-Type' header boundaries",
    { cause },
  );
}
