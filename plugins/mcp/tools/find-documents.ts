import { readTimeRange, Type } from '../../../src/plugin.ts';
import { defineTool, type Tool } from '../tool.ts';
import { listFields, TemplateId } from './fields.ts';
import type { RenderingParts } from './render-document.ts';

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const;
const Moment = (description: string) => Type.String({ maxLength: 40, description });

/** Creates the tool that lists documents. */
export function findDocuments({ render, values }: Omit<RenderingParts, 'files'>): Tool {
  return defineTool({
    name: 'find_documents',
    title: 'Find documents',
    description:
      'Lists the documents of the account that were made before, newest first, with their ids, warnings and links. All filters are optional.',
    scope: 'generations',
    input: Type.Object(
      {
        reference: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 400,
            description: 'Only documents with this reference, which was given to render_document.',
          }),
        ),
        template: Type.Optional({
          ...TemplateId,
          description: 'Only documents made from this template (tmpl_…).',
        }),
        status: Type.Optional(Type.Union(STATUSES.map((status) => Type.Literal(status)))),
        created_after: Type.Optional(Moment('A date such as 2026-11-22, or a time with its offset.')),
        created_before: Type.Optional(Moment('A date or a time, like created_after.')),
        ...Type.Partial(Type.Object(listFields)).properties,
      },
      { additionalProperties: false },
    ),
    changes: false,
    worksOnDocument: false,
    async run({ template: templateId, reference, status, limit = 20, offset = 0, ...created }, { account }) {
      const { from, before } = readTimeRange(created, ['created_after', 'created_before']);
      const filter = { templateId, reference, status, createdFrom: from, createdBefore: before };
      const { records, hasMore } = await render.list(account.id, { ...filter, limit, offset });
      return { value: { documents: records.map(values.presentGeneration), has_more: hasMore } };
    },
  });
}
