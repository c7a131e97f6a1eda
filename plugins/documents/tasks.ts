import {
  compileTemplate,
  listPartials as listCalls,
  type CompiledTemplate,
  type Result,
} from '@platen/templates';

/** The tasks for templates. */
export { checkTranslations, compileTemplate, inspectTemplate, parseTemplate } from '@platen/templates';

/** A template and its data as UTF-8. The service does not parse them. */
interface RenderInput {
  source: Uint8Array;
  /** The text of a JSON object. */
  data: Uint8Array;
  /** See `CompileInput`. */
  parts: Record<string, string>;
  partials?: Readonly<Record<string, string>>;
  locale?: string | undefined;
  /** `Translations` as JSON text. */
  translationsJson?: string | undefined;
}

/** A rendered template as UTF-8. */
interface RenderedTemplate
  extends Required<Pick<CompiledTemplate, 'missing'>>, Pick<CompiledTemplate, 'replacedLanguage'> {
  html: Uint8Array;
  parts: Record<string, string>;
}

/**
 * Renders a template like `compileTemplate`. Texts are sent as bytes, which the service encodes and decodes
 * in slices. Strings of 30 MB would block its event loop for a tenth of a second.
 */
export function renderTemplate({
  source,
  data,
  parts,
  partials = {},
  locale,
  translationsJson,
}: RenderInput): Result<RenderedTemplate> {
  const result = compileTemplate({
    source: decode(source),
    data: JSON.parse(decode(data)),
    parts,
    partials,
    locale,
    ...(translationsJson !== undefined && { translations: JSON.parse(translationsJson) }),
  });
  if (!result.ok) return result;
  const { html, parts: rendered = {}, missing = [], ...others } = result.value;
  return { ok: true, value: { ...others, html: Buffer.from(html), parts: rendered, missing } };
}

/**
 * Returns the names of the partials that each template calls. The list of a template that does not parse is
 * empty.
 */
export function listPartials({ sources }: { sources: readonly (string | Uint8Array)[] }): string[][] {
  return sources.map((source) => {
    const result = listCalls({ source: typeof source === 'string' ? source : decode(source) });
    return result.ok ? result.value : [];
  });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
