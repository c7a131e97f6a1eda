import { unzipSync, zipSync } from 'fflate';

// The functions in this file run in the sandbox.

const SHEET = /^xl\/worksheets\/[^/]{1,200}\.xml$/;
const FIRST_CELL = /\stopLeftCell=["'][A-Z]{1,3}\d{1,7}["']/g;
/** A workbook that is larger keeps its first cells. */
const MAX_UNPACKED_BYTES = 100_000_000;

/**
 * Removes the positions to which the sheets of a workbook in Office Open XML are scrolled. Otherwise, LibreOffice
 * omits the cells before them when it prints each sheet on one page. Returns `undefined` if nothing changes.
 */
export function showFirstCells(workbook: Uint8Array): Uint8Array | undefined {
  let unpacked = 0;
  const sheets = unzipSync(workbook, {
    filter({ name, originalSize }) {
      unpacked += originalSize;
      return SHEET.test(name) && originalSize <= MAX_UNPACKED_BYTES;
    },
  });
  if (unpacked > MAX_UNPACKED_BYTES) return undefined;
  const changed: Record<string, Uint8Array> = {};
  for (const [name, bytes] of Object.entries(sheets)) {
    const xml = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const start = xml.indexOf('<sheetViews');
    const end = xml.indexOf('</sheetViews>', start);
    if (start === -1 || end === -1) continue;
    const views = xml.slice(start, end).replaceAll(FIRST_CELL, '');
    if (views.length === end - start) continue;
    changed[name] = Buffer.from(xml.slice(0, start) + views + xml.slice(end), 'latin1');
  }
  if (Object.keys(changed).length === 0) return undefined;
  return zipSync({ ...unzipSync(workbook), ...changed }, { level: 1 });
}
