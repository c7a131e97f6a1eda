import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 24;
/** Higher values would bias the distribution. */
const USABLE = 248;

/**
 * Returns the id of the generation of an item. It depends only on the batch and the index, so that an item
 * that is put into the queue again after a crash is the same.
 */
export function itemId(batchId: string, index: number): string {
  return `gen_${deriveId(`${batchId}/${index}`)}`;
}

/** Returns an id without a prefix that depends only on a text. */
export function deriveId(seed: string): string {
  let text = '';
  for (let round = 0; text.length < CHARACTERS; round += 1)
    for (const byte of createHash('sha512').update(`${seed}/${round}`).digest())
      if (byte < USABLE && text.length < CHARACTERS) text += ALPHABET[byte % ALPHABET.length];
  return text;
}
