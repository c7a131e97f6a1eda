import { AppError, invalid } from '../../src/plugin.ts';
import type { Archive } from './contract.ts';
import { RenderError } from './render-error.ts';
import type { GenerateOptions } from './schemas.ts';

/** The way to archival PDFs, which another plugin opens. */
export class Archiver {
  #archive: Archive | undefined;

  /** Takes the one that makes them. */
  provide(archive: Archive): void {
    this.#archive = archive;
  }

  /** Refuses to plan what nobody can make. @throws {AppError} VALIDATION_ERROR naming the option. */
  require(options: GenerateOptions | undefined): void {
    if (options?.pdfa === true && !this.#archive)
      throw invalid('options.pdfa', 'needs the plugin "pdf-tools", which is off');
  }

  /** Makes what was printed archival when the options ask for it. @throws {RenderError} when it cannot be made so. */
  async finish(pdf: Buffer, options: GenerateOptions | undefined): Promise<Buffer> {
    if (options?.pdfa !== true) return pdf;
    this.require(options);
    const archived = await this.#archive?.(pdf).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      throw new RenderError('RENDER_FAILED', error.message, error);
    });
    return archived ?? pdf;
  }
}
