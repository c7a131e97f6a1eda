/** The largest file of a template. */
export const MAX_FILE_BYTES = 10_000_000;
/** A file in base64, with escaped line breaks, and the other fields. */
export const MAX_BODY_BYTES = 15_000_000;
