import { invalid, type Routes } from '../../src/plugin.ts';
import type { AiService } from './contract.ts';
import { generatedTemplateExample, generateTemplateExamples } from './examples.ts';
import { GenerateTemplateAnswer, GenerateTemplateBody, MAX_BODY_BYTES } from './schemas.ts';

/** Maps SPEC 4.7 to the service. */
export function mountRoutes(routes: Routes, ai: AiService): void {
  routes.post(
    '/v1/ai/generate-template',
    {
      summary: 'Have a template written by a language model',
      description:
        'Takes up to a minute. The template is checked (nothing in it runs or loads anything) and printed once with placeholder data before it is returned. Save it with `POST /v1/templates`, or pass it to `POST /v1/generate` with `data`.',
      body: GenerateTemplateBody,
      worksOnDocument: true,
      maxBodyBytes: MAX_BODY_BYTES,
      examples: generateTemplateExamples,
      response: { schema: GenerateTemplateAnswer, example: generatedTemplateExample },
      errors: ['AI_ERROR', 'AI_NOT_CONFIGURED'],
    },
    async ({ account, body, signal }) => {
      const { prompt, type = 'other', style = 'professional', variables = [] } = body;
      if (prompt.trim() === '') throw invalid('prompt', 'must have a character that is no space');
      const wish = { prompt, type, style, variables: [...new Set(variables)] };
      const { html, variables: used } = await ai.generateTemplate({ account, signal, ...wish });
      return { html, variables: used, type, style };
    },
  );
}
