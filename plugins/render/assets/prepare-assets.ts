import {
  decodeText,
  encodeText,
  explainTaskFailure,
  type Sandbox,
  type TaskClient,
} from '../../../src/plugin.ts';
import type { AssetSource } from '../../assets/contract.ts';
import { requireInertHeaderOrFooter } from '../print/header-footer.ts';
import { RenderError, toTemplateError } from '../render-error.ts';
import type { ResolvedSource } from '../source/source.ts';
import { decodeAssetName, mentionsAssets } from './asset-urls.ts';
import { fontFace } from './font-faces.ts';
import { readInstalledFonts } from './installed-fonts.ts';
import { PageAssets } from './page-assets.ts';

/** A source whose document and header and footer can load the assets of its account. */
export interface PreparedSource extends ResolvedSource {
  /** `undefined` for a document that cannot use any asset. */
  assets: PageAssets | undefined;
}

/**
 * Prepares a source for the assets of its account.
 * @throws {RenderError} TEMPLATE_ERROR for a header or footer.
 */
export type PrepareAssets = (accountId: string, source: ResolvedSource) => Promise<PreparedSource>;

const TIMEOUT_MS = 5_000;

const FAILURES = {
  path: 'html',
  deadline: `finding the assets of the document takes longer than ${TIMEOUT_MS} ms`,
  memory: 'finding the assets of the document exceeds the memory limit',
  waiting: 'documents',
  failed: 'the assets of the document could not be found',
};

/**
 * The maximum size of the assets of all headers and footers together. They become part of the print command.
 */
const MAX_EMBEDDED_BYTES = 8_000_000;

/**
 * Creates the function that prepares documents. `source` is `undefined` when the assets plugin is off;
 * `fontConfig` is the path of the browser's fontconfig file.
 */
export function createAssetPreparation(
  source: AssetSource | undefined,
  { sandbox, fontConfig }: { sandbox: Sandbox; fontConfig: string },
): PrepareAssets {
  const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
  return async (accountId, resolved) => {
    const { document, header, footer, firstPage } = resolved;
    const html = typeof document === 'string' ? document : undefined;
    const headersAndFooters = [header, footer, firstPage?.header, firstPage?.footer];
    const isMentioned = [html, ...headersAndFooters].some(
      (text) => text !== undefined && mentionsAssets(text),
    );
    const set = await source?.open(accountId);
    if (!set && !isMentioned) return { ...resolved, assets: undefined };
    const assets = new PageAssets(set, set?.fonts.length ? await readInstalledFonts(fontConfig) : undefined);
    assets.headersAndFooters = headersAndFooters.join('');
    const texts = { html, headersAndFooters };
    const replaced = isMentioned ? await replaceUrls(tasks, texts, assets) : texts;
    const embedding = { assets, budget: { bytes: MAX_EMBEDDED_BYTES } };
    const embedded: (string | undefined)[] = [];
    for (const [index, path] of PATHS.entries())
      embedded.push(await embed(path, replaced.headersAndFooters[index], embedding));
    return {
      ...resolved,
      document: replaced.html === undefined ? document : assets.addFonts(replaced.html),
      header: embedded[0],
      footer: embedded[1],
      firstPage: firstPage && { header: embedded[2], footer: embedded[3] },
      assets,
    };
  };
}

/** The options with headers and footers. */
const PATHS = [
  'options.header',
  'options.footer',
  'options.firstPage.header',
  'options.firstPage.footer',
] as const;

interface Texts {
  html: string | undefined;
  headersAndFooters: readonly (string | undefined)[];
}

async function replaceUrls(
  tasks: TaskClient<typeof import('./tasks.ts')>,
  { html, headersAndFooters }: Texts,
  { base }: PageAssets,
): Promise<Texts> {
  const isInDocument = html !== undefined && mentionsAssets(html);
  try {
    const input = { html: isInDocument ? await encodeText(html) : undefined, headersAndFooters, base };
    const replaced = await tasks.replaceAssetUrls(input, { timeoutMs: TIMEOUT_MS });
    return { ...replaced, html: replaced.html ? await decodeText(replaced.html) : html };
  } catch (error) {
    throw toTemplateError(explainTaskFailure(error, FAILURES));
  }
}

/**
 * Embeds the assets of a header or footer as data: URIs, because Chromium loads no resources there. Also
 * embeds the fonts that it names. These work because the header is measured first: its fonts are already
 * loaded when Chromium prints it.
 */
async function embed(
  path: string,
  html: string | undefined,
  { assets, budget }: { assets: PageAssets; budget: { bytes: number } },
): Promise<string | undefined> {
  if (!html) return html;
  const { base } = assets;
  const dataUrl = async (name: string): Promise<string> => {
    const content = await assets.read(name);
    if (!content) {
      assets.missing.push({
        type: 'Image',
        url: `asset:${name}`,
        reason: `no asset named ${JSON.stringify(name)}`,
        outcome: 'failed',
      });
      return 'data:,';
    }
    budget.bytes -= content.sizeBytes;
    if (budget.bytes < 0)
      throw new RenderError(
        'TEMPLATE_ERROR',
        `the assets of headers and footers have more than ${MAX_EMBEDDED_BYTES} bytes together`,
        { path },
      );
    return `data:${content.mediaType};base64,${content.base64}`;
  };
  const [start = '', ...rest] = html.split(base);
  if (rest.length > 0) requireInert(path, html.replaceAll(base, 'data:'));
  const pieces = [start];
  for (const piece of rest) {
    const [name = ''] = /^[\w.%~-]*/.exec(piece) ?? [];
    pieces.push(await dataUrl(decodeAssetName(name)), piece.slice(name.length));
  }
  // Headers cannot load styles, so they name all fonts that they use.
  const fonts = assets.fonts.length > 0 ? assets.selectFonts(html.replaceAll(/<link|<script/gi, '')) : [];
  if (fonts.length > 0) assets.embedsFonts = true;
  const faces = assets.installedFaces(fonts);
  for (const font of fonts) faces.push(fontFace(font, await dataUrl(font.name)));
  return `${faces.length > 0 ? `<style>${faces.join('')}</style>` : ''}${pieces.join('')}`;
}

function requireInert(path: string, html: string): void {
  try {
    requireInertHeaderOrFooter(path, html);
  } catch (error) {
    throw toTemplateError(error);
  }
}
