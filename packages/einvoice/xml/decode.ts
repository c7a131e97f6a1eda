/** The text of an XML file. */
export type DecodedXml = { text: string; fault?: undefined } | { text: string; fault: string };

/**
 * Decodes an XML file using its byte order mark or its declaration (XML 1.0, appendix F). If the encoding is
 * unknown or does not fit the bytes, decodes the file as UTF-8, replacing invalid bytes, and reports a fault.
 */
export function decodeXml(bytes: Uint8Array): DecodedXml {
  const encoding = encodingOf(bytes);
  try {
    // Throws if the encoding is unknown.
    return { text: new TextDecoder(encoding as Bun.Encoding, { fatal: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder().decode(bytes), fault: `is not text in the encoding ${encoding}` };
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const [declaration = ''] = Buffer.from(bytes.subarray(0, 200)).toString('latin1').split('?>', 1);
  const declared = /\sencoding\s*=\s*["']([\w.-]+)["']/.exec(declaration)?.[1]?.toLowerCase() ?? 'utf-8';
  // Text in UTF-16 would have been recognised above.
  return declared.startsWith('utf-16') ? 'utf-8' : declared;
}
