/** The levels of PAdES baseline signatures (ETSI EN 319 142-1), in ascending order. */
export const SIGNATURE_LEVELS = ['b-b', 'b-t', 'b-lt', 'b-lta'] as const;

/** A level of PAdES baseline signatures. */
export type SignatureLevel = (typeof SIGNATURE_LEVELS)[number];
