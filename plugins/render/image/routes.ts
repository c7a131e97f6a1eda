import { type Routes } from '../../../src/plugin.ts';
import { chooseOutput } from '../../files/exports.ts';
import type { FilesService } from '../../files/contract.ts';
import type { TemplateSource } from '../../templates/contract.ts';
import type { RenderService } from '../contract.ts';
import { imageTypeOf } from '../generations/generation.ts';
import { presentImage } from '../generations/present.ts';
import { isWaitedFor, readAsyncOutput, sendGenerated } from '../routes.ts';
import { readLocale, readSource } from '../source/read-source.ts';
import { readTranslations } from '../source/read-translations.ts';
import { imageExample, imageExamples, queuedImageExample } from './examples.ts';
import { ImageResponse, ImageBody } from './schemas.ts';

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/zpl'];

/** Mounts `POST /v1/images`. */
export function mountImageRoute(
  routes: Routes,
  {
    render,
    files,
    templates,
  }: {
    render: RenderService;
    files: Pick<FilesService, 'readProperties'>;
    templates: TemplateSource | undefined;
  },
): void {
  routes.post(
    '/v1/images',
    {
      scope: 'generate',
      audit: null,
      summary: 'Make an image from HTML, a template, a component, Markdown or a URL',
      operationId: 'createImage',
      idempotency: 'kept',
      description:
        'Responds when the image is stored; with `async`, as soon as the request is stored. The image is recorded as a generation, whose `content_type` is the media type of the image, and takes one unit of quota. A fault in the document gives 400 with a code in `details`, as for a PDF.',
      body: [
        { kind: 'json', schema: ImageBody },
        { kind: 'multipart', schema: ImageBody },
      ],
      worksOnDocument: isWaitedFor,
      usesQuota: true,
      examples: imageExamples,
      response: {
        schema: ImageResponse,
        example: imageExample,
        mediaTypes: MEDIA_TYPES,
        accepted: { description: 'The image will be made (`async`)', example: queuedImageExample },
      },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    async ({ account, body, request, attempt, accept }) => {
      const { data, styles, webhook } = body;
      const image = body.options ?? {};
      const mediaType = imageTypeOf(image.format);
      const wanted = {
        account,
        attempt,
        source: readSource(body),
        data,
        locale: readLocale(body),
        translationsJson: await readTranslations(body, { templates }),
        styles,
        image,
        webhook,
        properties: files.readProperties(body, account, { mediaType }),
      };
      if (!isWaitedFor(body)) {
        const generation = await render.submit({ ...wanted, output: readAsyncOutput(body) });
        accept();
        return presentImage({ generation, url: null });
      }
      const output = chooseOutput(request, body.output, mediaType);
      const delivered = await render.generate({ ...wanted, output: output === 'base64' ? 'base64' : 'url' });
      return output === 'binary' ? sendGenerated(delivered.generation, render) : presentImage(delivered);
    },
  );
}
