import { expect, test } from 'bun:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { showFirstCells } from './first-cells.ts';

const sheet = (views: string) =>
  strToU8(`<worksheet><sheetViews>${views}</sheetViews><t> topLeftCell="A36" é</t></worksheet>`);

test('sheets of a workbook are scrolled to their first cells, and everything else stays', () => {
  const scrolled = '<sheetView topLeftCell="A36" tabSelected="1"><pane topLeftCell=\'B40\'/></sheetView>';
  const workbook = zipSync({
    'xl/worksheets/sheet1.xml': sheet(scrolled),
    'xl/worksheets/sheet2.xml': sheet('<sheetView/>'),
    'xl/media/a.png': strToU8('png'),
  });
  const files = unzipSync(showFirstCells(workbook) ?? new Uint8Array());
  expect(strFromU8(files['xl/worksheets/sheet1.xml']!)).toBe(
    strFromU8(sheet('<sheetView tabSelected="1"><pane/></sheetView>')),
  );
  expect(strFromU8(files['xl/worksheets/sheet2.xml']!)).toBe(strFromU8(sheet('<sheetView/>')));
  expect(strFromU8(files['xl/media/a.png']!)).toBe('png');
});

test('a workbook that is not scrolled stays as it is', () => {
  expect(showFirstCells(zipSync({ 'xl/worksheets/sheet1.xml': sheet('<sheetView/>') }))).toBeUndefined();
});
