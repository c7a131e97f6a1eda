/** How long work may keep the page from answering, in milliseconds. */
const SLICE_MS = 12;

/** Divides long work into slices, between which the page reacts to the person. */
export class Slices {
  readonly #signal: AbortSignal;
  #end = performance.now() + SLICE_MS;

  /** @param signal ends the work */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Gives the page its turn if the current slice is over. Returns whether it did.
   * @throws {DOMException} AbortError when the work was ended
   */
  async proceed(): Promise<boolean> {
    this.#signal.throwIfAborted();
    if (performance.now() < this.#end) return false;
    await turn();
    this.#signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
    return true;
  }
}

/** Waits until the page has handled its events. Browsers delay timers of hidden pages, but not messages. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
