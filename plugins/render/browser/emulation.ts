import type { CDPSession } from 'playwright-core';
import { paperSize, type PrintSetup } from '../print/print-options.ts';

/** The window and the media type that the documents of an active page see. */
export class Emulation {
  #viewport = '';
  #media: PrintSetup['media'] = 'print';

  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Prepares the page for a document. Sends commands only for differences to the last document. */
  async prepare(setup: PrintSetup): Promise<void> {
    await Promise.all([this.#fitViewport(setup), this.#setMedia(setup.media)]);
  }

  /** Runs work on a document that has the media type that it is printed in. */
  async whilePrinting<T>(work: () => Promise<T>): Promise<T> {
    const isScreen = this.#media === 'screen';
    if (!isScreen) await this.#session.send('Emulation.setEmulatedMedia', { media: 'print' });
    const result = await work();
    if (!isScreen) await this.#session.send('Emulation.setEmulatedMedia', { media: '' });
    return result;
  }

  /** Sets the window to the size of the paper between its margins, so that a chart drawn to the window's width fits. */
  async #fitViewport(setup: PrintSetup): Promise<void> {
    const { widthIn, heightIn } = paperSize(setup);
    const { top, right, bottom, left } = setup.marginsIn;
    const width = Math.round(((widthIn - left - right) * 96) / setup.scale);
    const height = Math.round(((heightIn - top - bottom) * 96) / setup.scale);
    const viewport = `${width}x${height}`;
    if (viewport === this.#viewport) return;
    this.#viewport = viewport;
    await this.#session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      // Scales only the picture on the screen, whose pixels cost time. With a power of two, it adds no rounding errors to the PDF.
      scale: 1 / 32,
      mobile: false,
    });
  }

  /** By default a document has the media type screen until Chromium prints it. */
  async #setMedia(media: PrintSetup['media']): Promise<void> {
    if (media === this.#media) return;
    this.#media = media;
    await this.#session.send('Emulation.setEmulatedMedia', { media: media === 'screen' ? 'screen' : '' });
  }
}
