import { Type } from '../../../src/plugin.ts';
import { resultFields } from '../../files/exports.ts';
import type { FilesService } from '../../files/contract.ts';
import type { FieldInputValue, FormsService } from '../../forms/contract.ts';
import { defineTool, type Tool } from '../tool.ts';
import { parseResult } from '../parse-result.ts';
import { renameFields } from '../rename-fields.ts';
import { DocumentId } from './fields.ts';

const MAX_FIELDS = 10_000;

const Value = Type.Union(
  [Type.String(), Type.Boolean(), Type.Array(Type.String(), { maxItems: MAX_FIELDS })],
  {
    expected: 'a string, true or false for a checkbox, or a list of strings for an option list',
  },
);

/** Creates the tool that lists and fills the fields of a form. */
export function fillForm({ files, forms }: { files: FilesService; forms: FormsService }): Tool {
  return defineTool({
    name: 'fill_form',
    title: 'Fill in a form',
    description:
      'Without fields, lists the fields of the form of a stored PDF: names, types, values and options. With fields, an object of values by name, fills them in and stores the result as a new file. All fields are filled, or none.',
    scope: 'pdf',
    input: Type.Object(
      {
        id: DocumentId,
        fields: Type.Optional(
          Type.Record(Type.String(), Value, {
            minProperties: 1,
            maxProperties: MAX_FIELDS,
            description: 'The values by the full name of the field, such as {"name": "Ada", "agree": true}.',
          }),
        ),
        flatten: Type.Optional(
          Type.Boolean({
            description: 'true: the form becomes content of the pages, which cannot be changed.',
          }),
        ),
        file_name: resultFields.file_name,
        reference: resultFields.reference,
      },
      { additionalProperties: false },
    ),
    changes: true,
    worksOnDocument: true,
    async run({ id, fields, flatten = false, ...properties }, caller) {
      const { account } = caller;
      const pdf = await files.loadField(caller, 'id', id);
      if (!fields)
        return {
          value: parseResult(await forms.list(pdf), 'id', 'the form has too many fields to list them here'),
        };
      files.readProperties(properties, account);
      const values = Object.entries(fields).map(([name, value]: [string, FieldInputValue]) => ({
        name,
        value,
      }));
      const filled = await forms.fillIn({ account, pdf, fields: values, flatten }).catch((error: unknown) => {
        throw renameFields(error, (text) => renamed(text, Object.keys(fields)));
      });
      const request = new Request('https://mcp.invalid/');
      const delivery = { account, request, body: properties, startedAt: caller.startedAt };
      const made = await files.deliver(delivery, { operation: 'fill', ...filled });
      // Without an Accept header, the response is never the file.
      const { file_id: fileId, ...rest } = made as Exclude<typeof made, Response>;
      return { value: { id: fileId, ...rest } };
    },
  });
}

/** Names a field of the form by its name, not by its place in the list of the service. */
function renamed(text: string, names: readonly string[]): string {
  return text
    .replace(
      /^fields\[(\d{1,5})\]\.(?:name|value)\b/,
      (_, index: string) => `fields.${names[Number(index)] ?? ''}`,
    )
    .replace(/^pdf\b/, 'id');
}
