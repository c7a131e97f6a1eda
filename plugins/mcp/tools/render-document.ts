import { invalid, Type, type Static } from '../../../src/plugin.ts';
import { GenerateOptions, sourceFields } from '../../documents/exports.ts';
import { resultFields } from '../../files/exports.ts';
import type { FilesService } from '../../files/contract.ts';
import type { RenderService } from '../../render/contract.ts';
import { defineTool, type Tool } from '../tool.ts';

const { html, markdown, template, template_version, data, locale, styles } = sourceFields;
const { file_name, reference } = resultFields;

const Input = Type.Object(
  {
    html,
    markdown,
    template,
    template_version,
    data,
    locale,
    styles,
    options: Type.Optional(GenerateOptions),
    file_name,
    reference,
  },
  { additionalProperties: false },
);

/** The service of the plugin `render`, and the values that it exports. */
export interface RenderingParts {
  files: FilesService;
  render: RenderService;
  values: Pick<
    typeof import('../../render/exports.ts'),
    'presentGenerated' | 'presentGeneration' | 'readLocale' | 'readSource'
  >;
}

/** Creates the tool that makes a PDF. */
export function renderDocument({ files, render, values }: RenderingParts): Tool {
  return defineTool({
    name: 'render_document',
    title: 'Make a PDF',
    description:
      'Makes a PDF from exactly one of html, markdown and template (the id of a stored template), prints it with Chromium, and stores it. With data, html and markdown are Handlebars templates, such as {{customer.name}}. It is strict: data that lacks a variable, an asset that does not load and a character without a glyph are errors that list all of them; options {"strict": false} makes them warnings. Returns the id, the number of pages, warnings, and a link to the PDF that needs no key. Look at the result with look_at_pages, and find faults of its layout with check_layout.',
    scope: 'generate',
    input: Input,
    listed: {
      options: Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'How to print, such as {"format": "A4", "orientation": "landscape", "margin": {"top": "20mm"}}. describe_operation with the operation render_document lists all options.',
        },
      ),
    },
    changes: true,
    worksOnDocument: true,
    async run(given, { account }) {
      const options = { strict: true, ...given.options };
      if (options.strict) requireData(given);
      const delivered = await render.generate({
        account,
        source: values.readSource(sourceOf(given)),
        data: given.data,
        locale: values.readLocale(sourceOf(given)),
        styles: given.styles,
        options,
        output: 'url',
        properties: files.readProperties(given, account),
      });
      return { value: values.presentGenerated(delivered) };
    },
  });
}

/** @throws {AppError} for text that looks like a template and has no data, so its tags would be printed */
function requireData({ html: text, markdown: marks, data: values }: Static<typeof Input>): void {
  if (values !== undefined) return;
  for (const [name, source] of Object.entries({ html: text, markdown: marks }))
    if (source?.includes('{{') === true)
      throw invalid(
        'data',
        `is missing, and ${name} has tags such as {{name}}: send data with their values, or options {"strict": false} to print them as they are`,
      );
}

/** Returns the fields of the source. The tool has no others, such as a URL. */
function sourceOf(given: Static<typeof Input>): Parameters<RenderingParts['values']['readSource']>[0] {
  const none = { react: undefined, url: undefined };
  const ofUrl = { cookies: undefined, headers: undefined, basic_auth: undefined, user_agent: undefined };
  return {
    html: given.html,
    markdown: given.markdown,
    template: given.template,
    template_version: given.template_version,
    data: given.data,
    locale: given.locale,
    styles: given.styles,
    ...none,
    ...ofUrl,
  };
}
