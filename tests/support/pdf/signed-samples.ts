import { plainPdf } from './samples.ts';

/**
 * Creates a file with a signature field. The signature is not valid, but its entries state the permitted
 * changes.
 */
export function signedPdf(field: string, signature: string, perms = ''): string {
  return plainPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/SigFlags 3>>${perms}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<<>>>>',
    `<</T(s)/FT/Sig/V 5 0 R${field}>>`,
    `<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>${signature}>>`,
  ]);
}

/** Creates the signature entry that states the permitted changes to the file. */
export function docMdp(parameters: string): string {
  return `/Reference[<</TransformMethod/DocMDP/TransformParams<<${parameters}>>>>]`;
}
