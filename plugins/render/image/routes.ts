import { chooseOutput, type ResultPropertiesReader, type Routes } from '../../../src/plugin.ts';
import type { RenderService } from '../contract.ts';
import { imageTypeOf } from '../generations/generation.ts';
import { presentImage } from '../generations/present.ts';
import { sendGenerated } from '../routes.ts';
import { readSource } from '../source/read-source.ts';
import { imageExample, imageExamples } from './examples.ts';
import { ImageAnswer, ImageBody } from './schemas.ts';

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Mounts `POST /v1/images`. */
export function mountImageRoute(
  routes: Routes,
  { render, properties }: { render: RenderService; properties: ResultPropertiesReader },
): void {
  routes.post(
    '/v1/images',
    {
      summary: 'Make an image from HTML, a template, a component, Markdown or a URL',
      operationId: 'createImage',
      idempotency: 'kept',
      description:
        'Responds when the image is stored. It is recorded as a generation, whose `content_type` is the media type of the image, and takes one unit of quota. A fault in the document gives 400 with a code in `details`, as for a PDF.',
      body: [
        { kind: 'json', schema: ImageBody },
        { kind: 'multipart', schema: ImageBody },
      ],
      worksOnDocument: true,
      usesQuota: true,
      examples: imageExamples,
      response: { schema: ImageAnswer, example: imageExample, mediaTypes: MEDIA_TYPES },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    async ({ account, body, request, attempt }) => {
      const { data, styles, webhook } = body;
      const image = body.options ?? {};
      const mediaType = imageTypeOf(image.format);
      const output = chooseOutput(request, body.output, mediaType);
      const delivered = await render.generate({
        account,
        attempt,
        source: readSource(body),
        data,
        styles,
        image,
        output: output === 'base64' ? 'base64' : 'url',
        webhook,
        properties: properties.read(body, account, { mediaType }),
      });
      return output === 'binary' ? sendGenerated(delivered.generation, render) : presentImage(delivered);
    },
  );
}
