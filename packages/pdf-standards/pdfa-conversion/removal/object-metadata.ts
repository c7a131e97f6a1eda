import { Dict, PdfStream, reach, type Ref } from '@platen/pdf/objects';

/**
 * Removes the metadata of all objects except the document. Parts 2 and 3 allow only predefined and described
 * properties in it (ISO 19005-2 6.6.2.3), and the metadata of cameras and image editors has others.
 */
export function removeObjectMetadata(root: Ref, catalog: Dict): void {
  for (const { value } of reach(root)) {
    const dict = value instanceof PdfStream ? value.dict : value;
    if (dict instanceof Dict && dict !== catalog && dict.get('Metadata') instanceof PdfStream)
      dict.delete('Metadata');
  }
}
