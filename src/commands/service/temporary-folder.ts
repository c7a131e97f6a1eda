import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is deleted when it is disposed of, and when the process ends. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'platen-'));
  readonly #delete = () => rmSync(this.path, { recursive: true, force: true });

  constructor() {
    process.on('exit', this.#delete);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#delete);
    this.#delete();
  }
}
