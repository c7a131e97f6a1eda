/** A bitmap of this size takes 200 MB in the browser. */
export const MAX_MEGAPIXELS = 50;

/** The maximum side of a WebP image, and of a texture of the browser less one. */
export const MAX_SIDE_PX = 16_383;
