/** The largest asset in bytes. */
export const MAX_ASSET_BYTES = 5_000_000;

/** The longest name of an asset in UTF-16 code units. */
export const MAX_ASSET_NAME_CHARACTERS = 100;
