import { Type } from '../../../src/plugin.ts';
import type { FilesService } from '../../files/contract.ts';
import { defineTool, type Tool, type ToolImage } from '../tool.ts';
import { selectPages, toSelection } from '../pages.ts';
import type { Documents } from './documents.ts';
import { DocumentId } from './fields.ts';

const MAX_IMAGES = 4;
const MAX_WIDTH_PX = 1_600;
/** The largest size of all images together, which become a response in base64. */
const MAX_BYTES = 3_000_000;
/** An image is in memory as bytes, as base64, and as a part of the response. */
const COPIES = 4;

const PageNumber = Type.Integer({ minimum: 1, maximum: 999_999, expected: 'a page number such as 7' });
const LIST = { minItems: 1, maxItems: 100 };

/** Creates the tool that draws pages. */
export function lookAtPages({ files, documents }: { files: FilesService; documents: Documents }): Tool {
  return defineTool({
    name: 'look_at_pages',
    title: 'Look at pages',
    description: `Draws pages of a stored PDF as PNG images, as a viewer shows them, at most ${MAX_IMAGES} at a time. Use it to see whether a document looks right; a larger width shows small text.`,
    scope: 'by id',
    input: Type.Object(
      {
        id: DocumentId,
        pages: Type.Optional(
          Type.Union(
            [Type.String({ minLength: 1, maxLength: 400 }), PageNumber, Type.Array(PageNumber, LIST)],
            {
              expected: 'a selection such as "1-3,7", or a list of page numbers such as [1, 7]',
              description: 'The pages, such as "1-3,7" or [1, 7]; the first ones when absent.',
            },
          ),
        ),
        width: Type.Optional(
          Type.Integer({
            minimum: 100,
            maximum: MAX_WIDTH_PX,
            description: 'The width of each image in pixels; 800 when absent.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    changes: false,
    worksOnDocument: true,
    async run({ id, pages: given = '1-', width = 800 }, caller) {
      const found = await documents.find(id, caller);
      const selection = String(toSelection(given));
      const { pages, omitted } = selectPages(selection, { total: found.pages ?? 1, limit: MAX_IMAGES });
      const images: ToolImage[] = [];
      const shown: number[] = [];
      let sizeBytes = 0;
      for (const page of pages) {
        const response = await files.sendPageImage({
          request: new Request('https://mcp.invalid/'),
          image: `${page}.png`,
          widthPx: width,
          find: async () => found,
          reserveMemory: caller.reserveMemory,
        });
        const data = await response.bytes();
        sizeBytes += data.length;
        // The first image is always shown; its width limits its size.
        if (shown.length > 0 && sizeBytes > MAX_BYTES) break;
        caller.reserveMemory(data.length * COPIES);
        images.push({ data, mimeType: 'image/png' });
        shown.push(page);
      }
      const notShown = omitted + pages.length - shown.length;
      return {
        value: {
          id,
          pages: found.pages,
          shown,
          ...(notShown > 0 && { not_shown: notShown, hint: 'select the other pages with pages' }),
        },
        images,
      };
    },
  });
}
