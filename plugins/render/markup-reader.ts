import type { RenderService } from './contract.ts';
import { toPageSetup } from './image/image-setup.ts';
import { withPageOptions } from './page/page-setup.ts';
import type { PrintLimits } from './print/print-options.ts';
import { explainRenderError, RenderError } from './render-error.ts';
import type { Renderer } from './renderer.ts';
import { resolveDocument, type DocumentParts } from './source/resolve-document.ts';

/** Creates {@link RenderService.readMarkup}. */
export function createMarkupReader(
  parts: DocumentParts & PrintLimits & { renderer: Pick<Renderer, 'readMarkup'> },
): RenderService['readMarkup'] {
  return async ({ account, page, media = 'screen', ...given }) => {
    const { id: accountId } = account;
    const setup = withPageOptions(toPageSetup({ media }, parts), page, parts);
    try {
      const request = { ...given, page, output: 'base64' } as const;
      const { document, assets } = await resolveDocument(parts, { request, accountId, receipt: undefined });
      return await parts.renderer.readMarkup({ accountId, urgency: 'caller', document, setup, assets });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      throw explainRenderError(error, { message: 'the page could not be loaded', source: 'html' });
    }
  };
}
