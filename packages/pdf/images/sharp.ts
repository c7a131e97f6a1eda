import type sharpModule from 'sharp';

/** The functions of the library sharp. */
export type Sharp = typeof sharpModule;

let loaded: Promise<Sharp> | undefined;

/**
 * Loads sharp on first use. It decodes JPEG and raw pixels only, because images come from files of callers. It keeps no cache, and uses one
 * thread for each image.
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
