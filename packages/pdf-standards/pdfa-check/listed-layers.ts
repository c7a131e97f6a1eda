import { Dict, resolve, type PdfObject } from '@platen/pdf/objects';

const MAX_DEPTH = 32;

/** Returns the layers in a list and in the lists nested in it. */
export function listedLayers(order: readonly PdfObject[], depth = 0): Set<Dict> {
  const listed = new Set<Dict>();
  for (const item of order) {
    const value = resolve(item);
    if (value instanceof Dict) listed.add(value);
    else if (Array.isArray(value) && depth < MAX_DEPTH)
      for (const group of listedLayers(value, depth + 1)) listed.add(group);
  }
  return listed;
}
