import type { Schema } from './schema.ts';

/** The values of the field `output` that return JSON. `url` is the default wherever it is allowed. */
const JSON_OUTPUTS: readonly unknown[] = ['url', 'base64'];

const DESCRIPTION = 'How the file is returned: as a link to the stored file (url, the default) or in base64.';

/**
 * Removes the values of the fields `output` that return bytes. A field whose default returns bytes becomes
 * required.
 */
export function withJsonOutputs(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const shared = new Set<string>();
  const rewrite = (schema: Schema): Schema => {
    if (schema.allOf) return { ...schema, allOf: schema.allOf.map(rewrite) };
    const output = schema.properties?.['output'];
    if (output?.$ref !== undefined) {
      shared.add(output.$ref);
      return { ...schema, properties: { ...schema.properties, output: { $ref: output.$ref } } };
    }
    if (!output?.enum?.some((value) => JSON_OUTPUTS.includes(value))) return schema;
    const plain = narrow(output);
    return {
      ...schema,
      properties: { ...schema.properties, output: plain },
      ...(!plain.enum?.includes('url') && { required: [...(schema.required ?? []), 'output'] }),
    };
  };
  const entries = Object.entries(schemas).map(([name, schema]) => [name, rewrite(schema)] as const);
  return Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      shared.has(`#/components/schemas/${name}`) ? narrow(schema) : schema,
    ]),
  );
}

function narrow(output: Schema): Schema {
  const values = output.enum?.filter((value) => JSON_OUTPUTS.includes(value)) ?? [];
  return {
    ...output,
    enum: values,
    description: values.includes('url') ? DESCRIPTION : 'The file is returned in base64.',
  };
}
