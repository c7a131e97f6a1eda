import { compileTemplate, type Result } from '@platen/templates';

/** The tasks for templates. */
export { compileTemplate, inspectTemplate, parseTemplate } from '@platen/templates';

/** A template and its data in UTF-8. The service does not parse them. */
interface RenderInput {
  source: Uint8Array;
  /** The text of a JSON object. */
  data: Uint8Array;
  /** See `CompileInput`. */
  parts: Record<string, string>;
}

/** A rendered template in UTF-8. */
interface RenderedTemplate {
  html: Uint8Array;
  parts: Record<string, string>;
}

/**
 * Renders a template like `compileTemplate`. Texts are sent as bytes, which the service encodes and decodes in slices. Strings of 30 MB
 * would block its event loop for a tenth of a second.
 */
export function renderTemplate({ source, data, parts }: RenderInput): Result<RenderedTemplate> {
  const result = compileTemplate({ source: decode(source), data: JSON.parse(decode(data)), parts });
  if (!result.ok) return result;
  const { html, parts: rendered = {} } = result.value;
  return { ok: true, value: { html: Buffer.from(html), parts: rendered } };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
