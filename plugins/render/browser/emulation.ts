import type { ImageSetup } from '../image/image-setup.ts';
import type { PageOptions } from '../page/page-options.ts';
import { paperSize, type PrintSetup } from '../print/print-options.ts';
import type { PageSession } from './page-session.ts';

/** A window as Chromium's `Emulation.setDeviceMetricsOverride` describes it. */
interface Metrics {
  width: number;
  height: number;
  deviceScaleFactor: number;
  scale: number;
}

/** Sets the window and the media type that the documents of an active page see. */
export class Emulation {
  #window = '';
  #media: '' | PrintSetup['media'] = '';
  #features: { name: string; value: string }[] = [];
  #isTransparent = false;

  readonly #session: PageSession;

  constructor(session: PageSession) {
    this.#session = session;
  }

  /**
   * Prepares the page for a document to print. Sends commands only for differences from the last document.
   */
  async prepare(setup: PrintSetup): Promise<void> {
    await Promise.all([
      this.#setWindow(printWindow(setup)),
      // By default a document has the media type screen until Chromium prints it.
      this.#setMedia(setup.page?.emulatedMedia ?? (setup.media === 'screen' ? 'screen' : ''), setup.page),
      this.#setTransparent(setup.page?.transparent ?? false),
    ]);
  }

  /** Prepares the page for a document that becomes an image. */
  async prepareImage({ window, scale, transparent }: ImageSetup, { media, page }: PrintSetup): Promise<void> {
    await Promise.all([
      this.#setWindow({ ...window, deviceScaleFactor: scale, scale: 1 }),
      this.#setMedia(media, page),
      this.#setTransparent(transparent),
    ]);
  }

  /** Runs work while the document has the media type in which it is printed. */
  async whilePrinting<T>(work: () => Promise<T>): Promise<T> {
    if (this.#media !== '') return work();
    const features = this.#features;
    await this.#session.send('Emulation.setEmulatedMedia', { media: 'print', features });
    const result = await work();
    await this.#session.send('Emulation.setEmulatedMedia', { media: '', features });
    return result;
  }

  async #setWindow(metrics: Metrics): Promise<void> {
    const window = Object.values(metrics).join(' ');
    if (window === this.#window) return;
    this.#window = window;
    await this.#session.send('Emulation.setDeviceMetricsOverride', { ...metrics, mobile: false });
  }

  async #setMedia(media: '' | PrintSetup['media'], page: PageOptions | undefined): Promise<void> {
    const features = Object.entries(page?.mediaFeatures ?? {}).map(([name, value]) => ({ name, value }));
    if (media === this.#media && features.length === 0 && this.#features.length === 0) return;
    this.#media = media;
    this.#features = features;
    await this.#session.send('Emulation.setEmulatedMedia', { media, features });
  }

  async #setTransparent(transparent: boolean): Promise<void> {
    if (transparent === this.#isTransparent) return;
    this.#isTransparent = transparent;
    await this.#session.send(
      'Emulation.setDefaultBackgroundColorOverride',
      transparent ? { color: { r: 0, g: 0, b: 0, a: 0 } } : {},
    );
  }
}

/**
 * Returns a window of the size of the paper between its margins, so that a chart drawn to the window's width
 * fits, or the window that a plugin asks for.
 */
function printWindow(setup: PrintSetup): Metrics {
  const { widthIn, heightIn } = paperSize(setup);
  const { top, right, bottom, left } = setup.marginsIn;
  const paper = {
    width: Math.round(((widthIn - left - right) * 96) / setup.scale),
    height: Math.round(((heightIn - top - bottom) * 96) / setup.scale),
  };
  return {
    ...(setup.page?.windowPx ?? paper),
    deviceScaleFactor: 1,
    // Scales only the picture on the screen, whose pixels cost time. With a power of two, it adds no rounding
    // errors to the PDF.
    scale: 1 / 32,
  };
}
