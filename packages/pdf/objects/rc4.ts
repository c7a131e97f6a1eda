/**
 * Encrypts or decrypts with RC4, which the platform's crypto library no longer supports but old files use.
 */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    const byte = state[i] ?? 0;
    j = (j + byte + (key[i % key.length] ?? 0)) & 255;
    state[i] = state[j] ?? 0;
    state[j] = byte;
  }
  const out = new Uint8Array(data.length);
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    const byte = state[i] ?? 0;
    j = (j + byte) & 255;
    const other = state[j] ?? 0;
    state[i] = other;
    state[j] = byte;
    out[at] = (data[at] ?? 0) ^ (state[(byte + other) & 255] ?? 0);
  }
  return out;
}
