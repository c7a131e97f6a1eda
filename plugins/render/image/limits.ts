/** The maximum number of megapixels of an image. A bitmap of this size takes 200 MB in the browser. */
export const MAX_MEGAPIXELS = 50;

/**
 * The maximum side of an image: the limit of WebP, and one pixel less than the limit of the browser's
 * textures.
 */
export const MAX_SIDE_PX = 16_383;
