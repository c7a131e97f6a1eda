import { compileTemplate, type Result } from '@platen/templates';

/** The tasks of templates, as the sandbox loads them. */
export { compileTemplate, inspectTemplate, parseTemplate } from '@platen/templates';

/** A template and its data as a caller sent them, in UTF-8: neither is looked into outside of the sandbox. */
export interface RenderInput {
  source: Uint8Array;
  /** The text of a JSON object. */
  data: Uint8Array;
  /** See `CompileInput`. */
  parts: Record<string, string>;
}

/** What a template became, in UTF-8. */
export interface RenderedTemplate {
  html: Uint8Array;
  parts: Record<string, string>;
}

/**
 * Renders a template as `compileTemplate` does. Texts cross as bytes, which the service encodes and decodes in slices: as strings, 30 MB
 * occupied its event loop for a tenth of a second.
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
