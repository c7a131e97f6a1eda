import { AppError, invalid, workContext, type RouteBody, type Routes } from '../../src/plugin.ts';
import type { PageRequest, RenderService } from '../render/contract.ts';
import { explain } from './explain.ts';
import { readLength, readPaper } from './lengths.ts';
import { readPage } from './page.ts';
import { ContentBody, PdfBody, ScreenshotBody } from './schemas.ts';

/** browserless serves each route under both paths. */
const PREFIXES = ['', '/chromium'] as const;

const DEFAULT_WINDOW: NonNullable<ScreenshotBody['viewport']> = { width: 800, height: 600 };

const common = {
  scope: 'generate',
  audit: null,
  idempotency: { ignored: "browserless' API has no such header" },
  worksOnDocument: true,
} as const;

/** Mounts `POST /pdf`, `/screenshot` and `/content`. */
export function mountRoutes(routes: Routes, render: RenderService): void {
  for (const prefix of PREFIXES) {
    const hidden = prefix === '' ? {} : { hidden: true };
    routes.post(
      `${prefix}/pdf`,
      {
        ...common,
        ...hidden,
        usesQuota: true,
        summary: 'Convert HTML or a web page to PDF',
        operationId: prefix === '' ? 'browserlessPdf' : 'browserlessChromiumPdf',
        body: PdfBody satisfies RouteBody,
        response: { mediaTypes: ['application/pdf'] },
      },
      async ({ account, body, request, reserveMemory }) => {
        const pdf = await withinTimeout(request, async () =>
          generate(render, { account, ...(await readPdf(body, render)) }, reserveMemory),
        );
        return new Response(pdf, { headers: { 'content-type': 'application/pdf' } });
      },
    );
    routes.post(
      `${prefix}/screenshot`,
      {
        ...common,
        ...hidden,
        usesQuota: true,
        summary: 'Convert HTML or a web page to an image',
        operationId: prefix === '' ? 'browserlessScreenshot' : 'browserlessChromiumScreenshot',
        body: ScreenshotBody satisfies RouteBody,
        response: { mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'text/plain'] },
      },
      async ({ account, body, request, reserveMemory }) => {
        const image = await withinTimeout(request, async () =>
          generate(render, { account, ...(await readScreenshot(body, render)) }, reserveMemory),
        );
        const { type = 'png', encoding = 'binary' } = body.options ?? {};
        if (encoding === 'base64')
          return new Response(Buffer.from(image).toString('base64'), {
            headers: { 'content-type': 'text/plain; charset=utf-8' },
          });
        return new Response(image, { headers: { 'content-type': `image/${type}` } });
      },
    );
    routes.post(
      `${prefix}/content`,
      {
        ...common,
        ...hidden,
        summary: 'Read the HTML of a page after its scripts have run',
        operationId: prefix === '' ? 'browserlessContent' : 'browserlessChromiumContent',
        body: ContentBody satisfies RouteBody,
        response: { mediaTypes: ['text/html'] },
      },
      async ({ account, body, request, reserveMemory }) => {
        const { source, styles, page } = await readPage(body, render.readUrlPatterns);
        const markup = await withinTimeout(request, () =>
          render
            .readMarkup({
              account,
              source,
              styles,
              page: { ...page, windowPx: page.windowPx ?? DEFAULT_WINDOW },
            })
            .catch((error: unknown) => {
              throw explain(error);
            }),
        );
        reserveMemory(markup.length);
        // The markup is a caller's, so it must not act on the origin of the service.
        const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': 'sandbox' };
        return new Response(markup, { headers });
      },
    );
  }
}

type Wanted = Omit<Parameters<RenderService['generate']>[0], 'output'>;

async function generate(
  render: RenderService,
  wanted: Wanted,
  reserveMemory: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const delivered = await render.generate({ ...wanted, output: 'base64' }).catch((error: unknown) => {
    throw explain(error);
  });
  if (!('data' in delivered)) throw new Error('the document was not delivered');
  reserveMemory(delivered.data.length);
  return delivered.data as Uint8Array<ArrayBuffer>;
}

async function readPdf(
  body: PdfBody,
  { readUrlPatterns }: Pick<RenderService, 'readUrlPatterns'>,
): Promise<Pick<PageRequest, 'source' | 'styles' | 'page' | 'options'>> {
  const { source, styles, page } = await readPage(body, readUrlPatterns);
  const { margin = {}, pageRanges = '', tagged = true, outline = false, ...options } = body.options ?? {};
  const side = (name: keyof typeof margin) => readLength(`options.margin.${name}`, margin[name] ?? 0);
  const hasBands = options.displayHeaderFooter === true;
  return {
    source,
    styles,
    page: {
      ...page,
      paperIn: readPaper(options),
      marginsIn: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') },
      tagged: tagged || outline,
      ...(options.omitBackground === true && { transparent: true }),
      ...(pageRanges.trim() !== '' && { nativePageRanges: readRanges(pageRanges) }),
    },
    options: {
      printBackground: options.printBackground ?? false,
      scale: options.scale ?? 1,
      preferCssPageSize: options.preferCSSPageSize ?? false,
      media: body.emulateMediaType ?? 'print',
      ...(options.landscape === true && { orientation: 'landscape' }),
      ...(outline && { outline }),
      ...(hasBands && {
        header: options.headerTemplate || DEFAULT_HEADER,
        footer: options.footerTemplate || DEFAULT_FOOTER,
      }),
    },
  };
}

/** Chromium's own header and footer, which Puppeteer prints without templates. */
const DEFAULT_HEADER =
  '<div style="font-size:8px;width:100%;padding:0 20px"><span class="date"></span> <span class="title"></span></div>';
const DEFAULT_FOOTER =
  '<div style="font-size:8px;width:100%;padding:0 20px;text-align:right"><span class="pageNumber"></span>/<span class="totalPages"></span></div>';

/** @throws {AppError} for ranges that Chromium does not accept */
function readRanges(ranges: string): string {
  const isRange = (part: string) => {
    const [, first, last = first] = /^(\d{1,6})(?:\s?-\s?(\d{0,6}))?$/.exec(part.trim()) ?? [];
    return first !== undefined && Number(first) > 0 && (last === '' || Number(last) >= Number(first));
  };
  if (!ranges.split(',').every(isRange))
    throw invalid('options.pageRanges', 'must be page ranges, such as 1-5, 8');
  return ranges;
}

async function readScreenshot(
  body: ScreenshotBody,
  { readUrlPatterns }: Pick<RenderService, 'readUrlPatterns'>,
): Promise<Pick<PageRequest, 'source' | 'styles' | 'page' | 'image'>> {
  const { source, styles, page } = await readPage(body, readUrlPatterns, body);
  const {
    type = 'png',
    quality,
    fullPage = false,
    clip,
    omitBackground = false,
    optimizeForSpeed = false,
  } = body.options ?? {};
  const { selector, emulateMediaType: media = 'screen', viewport = DEFAULT_WINDOW } = body;
  const { width, height, deviceScaleFactor: scale = 1 } = viewport;
  return {
    source,
    styles,
    page: { ...page, ...(optimizeForSpeed && { fastImage: true }) },
    image: {
      format: type,
      width,
      height,
      scale,
      media,
      ...(quality !== undefined && { quality }),
      ...(omitBackground && { transparent: true }),
      ...(clip && { clip: { x: clip.x, y: clip.y, width: clip.width, height: clip.height } }),
      ...(selector !== undefined && { selector }),
      ...(fullPage && { fullPage }),
    },
  };
}

const MAX_TIMEOUT_MS = 600_000;

/** Runs work within the query parameter `timeout` of the request. @throws {AppError} at that time */
async function withinTimeout<T>(request: Request, work: () => Promise<T>): Promise<T> {
  const given = URL.parse(request.url, 'http://localhost')?.searchParams.get('timeout') ?? null;
  const context = workContext.getStore();
  if (given === null || !context) return work();
  if (!/^\d{1,6}$/.test(given) || Number(given) < 1 || Number(given) > MAX_TIMEOUT_MS)
    throw new AppError(
      'VALIDATION_ERROR',
      'Query-parameter validation failed: "timeout" must be 1 to 600000 milliseconds',
    );
  const limit = AbortSignal.timeout(Number(given));
  const signal = context.signal ? AbortSignal.any([context.signal, limit]) : limit;
  try {
    return await workContext.run({ ...context, signal }, work);
  } catch (error) {
    if (!limit.aborted || context.signal?.aborted) throw error;
    const details = [{ path: '', message: 'Request has timed out', code: 'RENDER_TIMEOUT' }];
    throw new AppError('VALIDATION_ERROR', 'Request has timed out', { details, cause: error });
  }
}
