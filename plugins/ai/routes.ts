import { invalid, type Routes } from '../../src/plugin.ts';
import type { AiService } from './contract.ts';
import { generatedTemplateExample, generateTemplateExamples } from './examples.ts';
import { GenerateTemplateResponse, GenerateTemplateBody, MAX_BODY_BYTES } from './schemas.ts';

/** Maps the routes of docs/internals/spec.md section 4.7 to the service. */
export function mountRoutes(routes: Routes, ai: AiService): void {
  routes.post(
    '/v1/ai/generate-template',
    {
      scope: 'ai',
      audit: null,
      summary: 'Have a template written by a language model',
      operationId: 'generateTemplate',
      idempotency: 'kept',
      description:
        'Takes up to a minute. The template is checked and printed once with placeholder data before it is returned; nothing in it runs or loads anything. Save it with `POST /v1/templates`, or pass it to `POST /v1/generate` with `data`.',
      body: GenerateTemplateBody,
      worksOnDocument: true,
      maxBodyBytes: MAX_BODY_BYTES,
      examples: generateTemplateExamples,
      response: { schema: GenerateTemplateResponse, example: generatedTemplateExample },
      errors: ['AI_ERROR', 'AI_NOT_CONFIGURED'],
    },
    async ({ account, body, signal }) => {
      const { prompt, type = 'other', style = 'professional', variables = [] } = body;
      if (prompt.trim() === '') throw invalid('prompt', 'must not be blank');
      const brief = { prompt, type, style, variables: [...new Set(variables)] };
      const { html, variables: used } = await ai.generateTemplate({ account, signal, ...brief });
      return { html, variables: used, type, style };
    },
  );
}
