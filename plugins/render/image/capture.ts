import { messageOf } from '../../../src/plugin.ts';
import { FILE_TOO_LARGE } from '../browser/browser-message.ts';
import { PIPE_LIMITS } from '../browser/browser-pipe.ts';
import { RenderError } from '../render-error.ts';
import { findExcess, isLargeImage, type Box, type ImageSetup } from './image-setup.ts';
import type { PageSession } from '../browser/page-session.ts';

/** Controls the browser page whose document is captured. */
interface CaptureTools {
  session: PageSession;
  /** Evaluates an expression in an isolated world. */
  evaluate: (expression: string) => Promise<unknown>;
  /** Waits until memory for a large image is available. */
  reserveLarge: () => Promise<void>;
}

/**
 * Captures the document of a browser page whose window is set up. The size of the image is checked before the
 * browser allocates it. With `isFast`, encoding takes less time and more bytes.
 * @throws {RenderError} when the selector matches no element, or the image would be too large.
 */
export async function captureImage(
  tools: CaptureTools,
  image: ImageSetup,
  { isFast }: { isFast: boolean },
): Promise<Buffer> {
  const { box, path } = await findBox(tools, image.area);
  const excess = findExcess(box, image.scale);
  if (excess !== undefined) throw new RenderError('RENDER_FAILED', excess, { path });
  if (isLargeImage(box, image.scale)) await tools.reserveLarge();
  try {
    const { data } = await tools.session.send('Page.captureScreenshot', {
      format: image.format,
      ...(image.quality !== undefined && { quality: image.quality }),
      clip: { ...box, scale: 1 },
      captureBeyondViewport: true,
      optimizeForSpeed: isFast,
    });
    return bytesOf(data);
  } catch (error) {
    if (!messageOf(error).includes(FILE_TOO_LARGE)) throw error;
    const limit = `${PIPE_LIMITS.imageBytes / 1024 ** 2} MiB`;
    throw new RenderError(
      'RENDER_FAILED',
      `the image has more than ${limit}; use jpeg or webp, or a smaller scale`,
      {
        path: 'options.format',
        cause: error,
      },
    );
  }
}

/** Finds the rectangle to capture, in whole CSS pixels, and the option that determines it. */
async function findBox(
  { session, evaluate }: CaptureTools,
  area: ImageSetup['area'],
): Promise<{ box: Box; path: string | undefined }> {
  if (area === 'document') {
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    return { box: outerBox(cssContentSize), path: 'options.fullPage' };
  }
  if (!('selector' in area)) return { box: area, path: undefined };
  const path = 'options.selector';
  const quoted = JSON.stringify(area.selector);
  const found = await evaluate(findElement(area.selector));
  if (found === 'invalid')
    throw new RenderError('RENDER_FAILED', `${quoted} is not a valid CSS selector`, { path });
  if (found === null) throw new RenderError('RENDER_FAILED', `no element matches ${quoted}`, { path });
  const box = outerBox(found as Box);
  if (box.width <= 0 || box.height <= 0)
    throw new RenderError(
      'RENDER_FAILED',
      `the element that matches ${quoted} is not visible: it has no size`,
      { path },
    );
  return { box, path };
}

/** Returns the smallest rectangle of whole pixels around another. */
function outerBox({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** Returns a script for an isolated world that finds the box of an element in the document. */
function findElement(selector: string): string {
  return `(() => {
    let element;
    try { element = Document.prototype.querySelector.call(document, ${JSON.stringify(selector)}) } catch { return 'invalid' }
    if (!element) return null;
    const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
    return { x: x + scrollX, y: y + scrollY, width, height };
  })()`;
}

/**
 * Returns the image. The browser's pipe has decoded it, unless it is very small, although Playwright types it
 * as base64.
 */
function bytesOf(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data;
  if (typeof data === 'string') return Buffer.from(data, 'base64');
  throw new Error('the browser did not send an image');
}
