/** How long a busy service gathers reports. */
const GATHER_MS = 100;

/**
 * Decides when reports of changes are stored: at once while the service has little to do, otherwise together
 * with others, up to 100 ms later. An embedded store then writes them in one transaction.
 */
export class ReportGate {
  #waiting: PromiseWithResolvers<void> | undefined;
  #timer: Timer | undefined;

  /** Resolves when a report may be stored. */
  pass(): Promise<void> {
    if (this.#timer === undefined) {
      this.#close();
      return Promise.resolve();
    }
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Lets all reports pass that wait. */
  open(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#waiting) return;
    this.#waiting.resolve();
    this.#waiting = undefined;
    this.#close();
  }

  #close(): void {
    this.#timer = setTimeout(() => this.open(), GATHER_MS).unref();
  }
}
