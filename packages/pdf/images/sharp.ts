import type sharpModule from 'sharp';

/** The functions of the library sharp. */
export type Sharp = typeof sharpModule;

let loaded: Promise<Sharp> | undefined;

/**
 * Loads sharp on first use. Configures it to decode only JPEG and raw pixels, because the images come from
 * callers, to keep no cache, and to use one thread for each image.
 */
export function loadSharp(): Promise<Sharp> {
  return (loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer'] });
    return sharp;
  }));
}
