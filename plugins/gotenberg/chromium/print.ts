import { AppError } from '../../../src/plugin.ts';
import type { GenerateRequest, PageOptions, RenderService, SiblingFile } from '../../render/contract.ts';
import type { FieldValues } from '../form/fields.ts';
import type { FormCall } from '../form-route.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { OutputFile } from '../respond.ts';
import type { Settings } from '../settings.ts';
import { decodeHtml, HTML_URL } from './documents.ts';
import { ABERRANT, explain, type Quoted } from './explain.ts';
import type { pageFields, printFields, screenshotFields } from './fields.ts';
import { toPageHeaders } from './headers.ts';
import { judge, judgesResources, type Rejection } from './judge.ts';
import { requirePageRanges } from './page-ranges.ts';

export type PageValues = FieldValues<typeof pageFields>;
export type PrintValues = FieldValues<typeof printFields>;
export type ScreenshotValues = FieldValues<typeof screenshotFields>;

/** What becomes a PDF or an image: HTML with its files, or a web page. */
export type PageSource = { html: string; siblings: ReadonlyMap<string, SiblingFile> } | { url: string };

type Call = Pick<FormCall<never>, 'account' | 'attempt' | 'form' | 'outputName' | 'reserveMemory'>;

/** Makes PDFs and images of the documents of forms. */
export interface Chromium {
  /**
   * Prints a document, and processes the PDF before it is stored. `isTagged` keeps the structure tree for
   * the processing.
   * @throws {AppError} with Gotenberg's text
   */
  print(
    call: Call,
    source: PageSource,
    values: PrintValues,
    processing: {
      isTagged: boolean;
      process?: ((pdf: Uint8Array) => Promise<Uint8Array>) | undefined;
    },
  ): Promise<Uint8Array>;
  /** @throws like {@link print} */
  capture(call: Call, source: PageSource, values: ScreenshotValues): Promise<OutputFile>;
}

/** The services that {@link createChromium} uses. */
export interface ChromiumParts {
  render: RenderService;
  outbound: Pick<Outbound, 'judge' | 'openPage' | 'warnOfRefusal'>;
  settings: Pick<Settings, 'chromium'>;
}

/** Chromium's limits of the scale. */
const SCALES = { min: 0.1, max: 2 };

/** How long a document waits for requests that are pending when it is otherwise complete. */
const PATIENCE_MS = 2_000;

export function createChromium({ render, outbound, settings }: ChromiumParts): Chromium {
  const { allow, deny } = settings.chromium;
  // No document loads file: URLs, so the pattern that denies them by default concerns no request.
  const webPatterns = { allow, deny: deny.filter((pattern) => !pattern.startsWith('^file:')) };
  let isHtmlAllowed = false;

  /** @throws {AppError} FORBIDDEN if the lists of the operator do not allow HTML */
  async function requireHtml(): Promise<void> {
    if (isHtmlAllowed) return;
    await outbound.judge(new URL(HTML_URL), { allow, deny });
    isHtmlAllowed = true;
  }

  async function generate(
    { account, attempt, form, reserveMemory }: Call,
    source: PageSource,
    values: PageValues,
    {
      quoted,
      page,
      ...request
    }: { quoted: Quoted; page: PageOptions } & Omit<GenerateRequest, 'account' | 'source' | 'output'>,
  ): Promise<Uint8Array> {
    const given = form.value('extraHttpHeaders');
    const headers = await toPageHeaders(values.extraHttpHeaders, { render, given });
    await ('url' in source ? outbound.judge(new URL(source.url), webPatterns) : requireHtml());
    using access = outbound.openPage(webPatterns);
    let rejection: Rejection | undefined;
    let refusedUrl: string | null = null;
    const isJudged = 'url' in source || judgesResources(values);
    try {
      const { generation } = await render.generate({
        account,
        attempt,
        source: 'url' in source ? { url: source.url } : { html: source.html },
        output: 'url',
        ...request,
        page: {
          ...page,
          ...pageOptions(values, settings.chromium),
          ...(headers.length > 0 && { headers }),
          ...(access && {
            proxyUrl: access.proxyUrl,
            decisionOf: access.decisionOf,
            mayRequest: (requested) => access.mayRequest(requested.url),
          }),
          ...(!('url' in source) && (source.siblings.size > 0 || isJudged) && { files: source.siblings }),
          ...(isJudged && {
            judge: (facts) => {
              rejection = judge(facts, values);
              refusedUrl = facts.refusedUrl;
              return rejection;
            },
          }),
        },
      });
      reserveMemory(generation.sizeBytes ?? 0);
      return await render.readPdf(generation);
    } catch (error) {
      const refused = URL.parse(refusedUrl ?? '');
      if (refused) outbound.warnOfRefusal(refused, settings.chromium);
      throw explain(error, rejection, quoted);
    }
  }

  return {
    async print(call, source, values, { isTagged, process }) {
      const { page, options, styles } = await readPrint(values);
      return generate(call, source, values, {
        quoted: { ...quotedOf(values), nativePageRanges: values.nativePageRanges },
        page: isTagged ? { ...page, tagged: true } : page,
        options,
        styles,
        ...(process && {
          finish: async (printed) => ({ ...printed, pdf: await process(printed.pdf) }),
        }),
      });
    },
    async capture(call, source, values) {
      const { format } = values;
      const content = await generate(call, source, values, {
        quoted: { ...quotedOf(values), selector: values.selector },
        page: { nativeHeaders: true, fastImage: values.optimizeForSpeed },
        image: readImage(values),
        styles: styleSheet(true),
      });
      return { name: `${call.outputName}.${format}`, mediaType: `image/${format}`, content };
    },
  };
}

function quotedOf({ waitForExpression, waitForSelector, waitDelay }: PageValues): Quoted {
  return { waitForExpression, waitForSelector, waitDelayMs: waitDelay };
}

/** Reads the options of a page that PDFs and images have in common. */
function pageOptions(values: PageValues, { isJavaScriptOff }: Settings['chromium']): PageOptions {
  const { emulatedMediaType, emulatedMediaFeatures, cookies, userAgent } = values;
  return {
    emulatedMedia: emulatedMediaType,
    mediaFeatures: emulatedMediaFeatures,
    waitFor: readConditions(values, isJavaScriptOff),
    patienceMs: PATIENCE_MS,
    ...(isJavaScriptOff && { scripts: false }),
    ...(cookies.length > 0 && { cookies }),
    ...(userAgent !== '' && { userAgent }),
  };
}

function readConditions(values: PageValues, isJavaScriptOff: boolean): PageOptions['waitFor'] {
  const { waitForExpression, waitForSelector, waitDelay } = values;
  const conditions = {
    ...(waitForSelector !== '' && { selector: waitForSelector, visible: true }),
    ...(waitForExpression !== '' &&
      !isJavaScriptOff && { expression: waitForExpression, strictExpression: true }),
    ...(!values.skipNetworkIdleEvent && { networkIdle: true }),
    ...(!values.skipNetworkAlmostIdleEvent && { networkAlmostIdle: true }),
    ...(waitDelay > 0 && !isJavaScriptOff && { delayMs: Math.round(waitDelay) }),
  };
  return Object.keys(conditions).length > 0 ? conditions : undefined;
}

async function readPrint(values: PrintValues): Promise<{
  page: PageOptions;
  options: NonNullable<GenerateRequest['options']>;
  styles: string;
}> {
  const { printBackground, omitBackground, scale, landscape, singlePage, nativePageRanges } = values;
  if (omitBackground && !printBackground)
    throw new AppError('VALIDATION_ERROR', 'omitBackground requires printBackground set to true');
  if (!(scale >= SCALES.min && scale <= SCALES.max)) throw new AppError('VALIDATION_ERROR', ABERRANT);
  requirePageRanges(nativePageRanges);
  const { headerFile, footerFile, generateDocumentOutline: outline } = values;
  const { marginTop: top, marginRight: right, marginBottom: bottom, marginLeft: left } = values;
  return {
    page: {
      nativeHeaders: true,
      paperIn: { width: values.paperWidth, height: values.paperHeight },
      marginsIn: { top, right, bottom, left },
      tagged: values.generateTaggedPdf || outline,
      ...(omitBackground && { transparent: true }),
      ...(singlePage && { singlePage }),
      ...(nativePageRanges.trim() !== '' && !singlePage && { nativePageRanges }),
    },
    options: {
      printBackground,
      scale,
      preferCssPageSize: values.preferCssPageSize && !singlePage,
      media: values.emulatedMediaType ?? 'print',
      ...(landscape && { orientation: 'landscape' }),
      ...(outline && { outline }),
      ...(headerFile && { header: await decodeHtml(headerFile) }),
      ...(footerFile && { footer: await decodeHtml(footerFile) }),
    },
    styles: styleSheet(printBackground),
  };
}

/** Gotenberg prints the colours of elements exactly, also without the background of the page. */
function styleSheet(printBackground: boolean): string {
  const exact = 'html{-webkit-print-color-adjust:exact!important}';
  return printBackground ? exact : `${exact}html,body{background:none!important}`;
}

function readImage(values: ScreenshotValues) {
  const { format, quality, omitBackground, clip, selector, deviceScaleFactor, emulatedMediaType } = values;
  // Chromium keeps its own window for 0.
  const side = (given: number, fallback: number) => (given > 0 ? given : fallback);
  return {
    format,
    width: side(values.width, 800),
    height: side(values.height, 600),
    scale: side(deviceScaleFactor, 1),
    ...(format === 'jpeg' && { quality }),
    ...(omitBackground && format !== 'jpeg' && { transparent: true }),
    ...(selector === '' ? { fullPage: !clip } : { selector }),
    ...(emulatedMediaType && { media: emulatedMediaType }),
  };
}
