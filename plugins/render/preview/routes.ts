import { invalid, sendFile, type Routes } from '../../../src/plugin.ts';
import { readLocale, readSource } from '../source/read-source.ts';
import { readTranslations } from '../source/read-translations.ts';
import { presentReceipt } from '../receipt/present.ts';
import { warningsOf } from '../receipt/warnings.ts';
import { MAX_PREVIEW_PAGES, renderPreview, type PreviewParts } from './preview.ts';
import { PreviewResponse, PreviewBody, previewExample, previewExamples } from './schemas.ts';

/** A preview may use a tenth of the plan's rate. */
const RATE_DIVISOR = 10;

const MEDIA_TYPES = { pdf: 'application/pdf', png: 'image/png' };

/** Mounts `POST /v1/templates/preview`. */
export function mountPreviewRoute(routes: Routes, parts: PreviewParts): void {
  routes.post(
    '/v1/templates/preview',
    {
      scope: 'generate',
      audit: null,
      summary: 'Preview a template',
      operationId: 'previewTemplate',
      idempotency: { ignored: 'a preview is neither stored nor counted' },
      description: `Renders a document of up to ${MAX_PREVIEW_PAGES} pages without storing, recording or counting it. The rate limit is a tenth of the plan's. A fault of the document, such as a template error or a timeout, gives 400; \`details\` names the field and the reason.`,
      body: PreviewBody,
      worksOnDocument: true,
      rateDivisor: RATE_DIVISOR,
      examples: previewExamples,
      response: {
        schema: PreviewResponse,
        example: previewExample,
        mediaTypes: Object.values(MEDIA_TYPES),
      },
      errors: ['NOT_FOUND'],
    },
    async ({ account, isTest, body }) => {
      const { html_content: html, data, styles, options, output = 'pdf', page } = body;
      const receipt = parts.receipts.begin();
      if (page !== undefined && output !== 'png') throw invalid('page', 'is only for output png');
      const preview = await renderPreview(parts, {
        accountId: account.id,
        isTest,
        source: readSource({ ...body, html }, { htmlField: 'html_content' }),
        data,
        locale: readLocale(body),
        translationsJson: await readTranslations({ ...body, html }, { ...parts, htmlField: 'html_content' }),
        styles,
        options: options ?? undefined,
        ...(output === 'png' && { page: page ?? 1 }),
        receipt,
      });
      const made = receipt.finish();
      const warnings = warningsOf(made);
      const answer = { ...preview, file_size: preview.data.length, warnings };
      if (body.receipt === true)
        return { ...answer, receipt: parts.receipts.isOn ? presentReceipt(made, {}) : null };
      if (output === 'base64') return answer;
      const file = { body: preview.data, mediaType: MEDIA_TYPES[output] };
      return sendFile(
        { ...file, fileName: `preview.${output}` },
        {
          'platen-pages': String(preview.pages),
          'platen-warnings': String(warnings.length),
        },
      );
    },
  );
}
