import { expect, test } from 'bun:test';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { rejectionOf } from '../../support/pdf/pdf-operations.ts';
import { readZpl, type ZplLabel } from '../../support/pdf/zpl.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { readStarters } from '../../support/starters/starters.ts';
import { isThorough } from '../../support/suite.ts';

const service = sharedService();
const LABEL = `<style>@page { size: 2in 1in; margin: 0 } body { margin: 0; font: 14pt sans-serif }
  div { break-after: page; border: 2pt solid; margin: 6pt; padding: 6pt } .full { background: #000; color: #fff }</style>`;
const html = `${LABEL}<div>{{to}}</div><div class="full">Second</div>`;
const data = { to: 'Ann Becker' };

async function zplOf(options: object, body: object = { html, data }) {
  return service().post('/v1/images', { ...body, options: { format: 'zpl', ...options }, output: 'base64' });
}

async function labelsOf(options: object, body?: object): Promise<ZplLabel[]> {
  const { status, body: answer } = await zplOf(options, body);
  expect([status, answer.error, answer.content_type]).toEqual([200, undefined, 'application/zpl']);
  return readZpl(Buffer.from(answer.data, 'base64').toString('latin1'));
}

/** Returns the share of dots that differ from the pages of the printed PDF, as poppler draws them. */
async function differences(labels: readonly ZplLabel[], dpi: number, body: object): Promise<number[]> {
  const pdf = await service().pdf({ ...body, options: { margin: '0' }, output: 'base64' });
  return Promise.all(
    labels.map(async ({ width, height, isBlack }, index) => {
      const page = String(index + 1);
      const drawing = Bun.spawn(['pdftoppm', '-r', String(dpi), '-gray', '-f', page, '-l', page, '-'], {
        stdin: pdf,
        stdout: 'pipe',
      });
      const pgm = await new Response(drawing.stdout).bytes();
      const header = `P5\n${width} ${height}\n255\n`;
      expect(Buffer.from(pgm.subarray(0, header.length)).toString('latin1')).toBe(header);
      const grey = pgm.subarray(header.length);
      let different = 0;
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1)
          if (isBlack(x, y) !== (grey[y * width + x] ?? 0) < 128) different += 1;
      return different / (width * height);
    }),
  );
}

describeWithPdfTools('labels in ZPL', () => {
  test.each(isThorough ? [203, 300, 600] : [203])('show the printed pages at %s dpi', async (dpi) => {
    const labels = await labelsOf({ dpi });
    expect(labels.map(({ width, height }) => [width, height])).toEqual([
      [dpi * 2, dpi],
      [dpi * 2, dpi],
    ]);
    for (const share of await differences(labels, dpi, { html, data })) expect(share).toBeLessThan(0.02);
    // The border is black, and most of the first label is white.
    const count = (label: ZplLabel | undefined) => {
      let black = 0;
      for (let y = 0; y < dpi; y += 1)
        for (let x = 0; x < dpi * 2; x += 1) black += label?.isBlack(x, y) ? 1 : 0;
      return black / (dpi * dpi * 2);
    };
    expect(count(labels[0])).toBeGreaterThan(0.03);
    expect(count(labels[0])).toBeLessThan(0.2);
    expect(count(labels[1])).toBeGreaterThan(0.3);
  });
});

/** Returns the widths in dots of what the rows through the barcode cross: the frame, white, bars and spaces. */
function barsOf({ width, height, isBlack }: ZplLabel): number[] {
  const rows = Array.from({ length: height }, (_, y) => {
    const edges = Array.from({ length: width }, (__, x) => x).filter(
      (x) => isBlack(x, y) !== isBlack(x - 1, y),
    );
    return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
  });
  // Bars are the only rows with many edges that are all equal.
  const equal = Map.groupBy(
    rows.filter((row) => row.length > 40),
    (row) => row.join(),
  );
  const [[bars] = []] = [...equal.values()].toSorted((a, b) => b.length - a.length);
  return bars ?? [];
}

test.each([
  ['TX4409218837FR', 203],
  ['TX4409218837F', 203],
  ['00340434161094042557', 203],
  ['1Z999AA10123456784', 300],
])('the starter shipping-label prints %s at %d dpi with equal modules', async (tracking_number, dpi) => {
  const starter = readStarters().find(({ slug }) => slug === 'shipping-label');
  const parcel = { ...starter?.sample_data, tracking_number, dpi };
  const [label] = await labelsOf({ dpi }, { html: starter?.html, data: parcel });
  // The first and the last widths are those of the frame and of the white beside the code.
  const bars = barsOf(label!).slice(2, -2);
  const module = Math.min(...bars);
  expect(module).toBeGreaterThan(1);
  expect(bars.filter((width) => width % module !== 0)).toEqual([]);
  // The stop pattern of Code 128.
  expect(bars.slice(-7).map((width) => width / module)).toEqual([2, 3, 3, 1, 1, 1, 2]);
});

test('labels are files of their type, recorded as generations', async () => {
  const response = await fetch(`${service().url}/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service().key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html, data, options: { format: 'zpl' }, output: 'binary', file_name: 'label' }),
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zpl']);
  expect(response.headers.get('content-disposition')).toContain('label.zpl');
  const zpl = await response.text();
  expect(zpl).toStartWith('^XA\n^PW406\n^LL203\n');
  const { body } = await service().post('/v1/images', { html, data, options: { format: 'zpl' } });
  const file = await fetch(body.url);
  expect([file.headers.get('content-type'), await file.text()]).toEqual(['application/zpl', zpl]);
});

test('labels of test keys show the word TEST', async () => {
  const key = await service().newKeyOfAccount({ test: true });
  const body = { html: LABEL, options: { format: 'zpl' }, output: 'base64' };
  const read = async (made: Promise<ApiResponse>) =>
    readZpl(Buffer.from((await made).body.data, 'base64').toString('latin1'));
  const count = ([label]: ZplLabel[]) => {
    let black = 0;
    for (let at = 0; at < 406 * 203; at += 1) black += label?.isBlack(at % 406, Math.floor(at / 406)) ? 1 : 0;
    return black;
  };
  expect(count(await read(service().post('/v1/images', body)))).toBe(0);
  expect(count(await read(service().post('/v1/images', body, key)))).toBeGreaterThan(500);
});

test.each<[object, string]>([
  [{ dpi: 150 }, 'options.dpi: must be 203, 300 or 600'],
  [{ dpi: 250 }, 'options.dpi: must be 203, 300 or 600'],
  [{ dpi: 1200 }, 'options.dpi: must be 203, 300 or 600'],
  [{ scale: 2 }, 'options.scale: has no effect on zpl'],
  [{ selector: 'div' }, 'options.selector: has no effect on zpl'],
  [{ fullPage: false }, 'options.fullPage: has no effect on zpl'],
  [{ format: 'png', dpi: 203 }, 'options.dpi: is only for zpl'],
])('the options %j are rejected', async (options, message) => {
  expect(rejectionOf(await zplOf(options))).toStartWith(message);
});

test.each([
  ['15in 15in', 'makes page 1 larger than 32000000 pixels; send 300'],
  ['50in 50in', 'makes page 1 larger than 32000000 pixels; send a smaller page'],
])('a page of %s at 600 dpi is rejected: %s', async (size, message) => {
  const large = `<style>@page { size: ${size}; margin: 0 }</style>x`;
  const { status, body } = await zplOf({ dpi: 600 }, { html: large });
  expect(status).toBe(400);
  expect(body.error.details).toEqual([{ path: 'options.dpi', code: 'RENDER_FAILED', message }]);
});
