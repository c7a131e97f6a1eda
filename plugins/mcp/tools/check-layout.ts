import { Type, type Sandbox } from '../../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../../files/exports.ts';
import type { FilesService } from '../../files/contract.ts';
import type { Generation } from '../../render/contract.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { Documents } from './documents.ts';
import { DocumentId } from './fields.ts';

interface Finding {
  code: NonNullable<Generation['warnings']>[number]['code'] | 'BLANK_PAGE';
  message: string;
  page?: number;
}

const MAX_BLANK_PAGES = 50;

/** Creates the tool that finds faults of the layout of a document. */
export function checkLayout({
  files,
  documents,
  sandbox,
}: {
  files: FilesService;
  documents: Documents;
  sandbox: Sandbox;
}): Tool {
  const tasks = sandbox.load<typeof import('../tasks.ts')>(new URL('../tasks.ts', import.meta.url));
  return defineTool({
    name: 'check_layout',
    title: 'Check the layout',
    description:
      'Finds faults that are hard to see: content wider than the page (OVERFLOW: Chromium then shrinks all of it), blank pages (BLANK_PAGE), characters without a glyph (MISSING_GLYPHS), faces of fonts that were replaced (FONT_REPLACED), assets that did not load (ASSET_FAILED) and missing data. Returns ok and the findings, and the fonts of the file: if a family that the CSS names is not among them, it was not available. Call it after each render_document.',
    scope: 'by id',
    input: Type.Object({ id: DocumentId }, { additionalProperties: false }),
    changes: false,
    worksOnDocument: true,
    async run({ id }, caller) {
      const { pages } = await documents.find(id, caller);
      const generation = await documents.generation(id, caller);
      const pdf = await files.loadField(caller, 'id', id);
      const { blankPages, fonts } = await unwrapTaskResult('id', tasks.readLayout({ pdf }, pdfTaskLimits));
      const findings: Finding[] = [
        ...(generation?.warnings ?? []).map(({ code, message }) => ({ code, message })),
        ...blankPages.slice(0, MAX_BLANK_PAGES).map((page) => ({
          code: 'BLANK_PAGE' as const,
          message: `nothing is drawn on page ${page}`,
          page,
        })),
      ];
      return {
        value: {
          id,
          pages,
          ok: findings.length === 0,
          findings,
          fonts,
          ...(!generation && { hint: 'a file has no receipt, so only blank pages and fonts were checked' }),
        },
      };
    },
  });
}
