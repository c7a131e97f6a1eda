import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formPdf, widget } from '../support/pdf/form-samples.ts';
import { pagesPdf, plainPdf } from '../support/pdf/samples.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { TestService } from '../support/service/service.ts';
import { TIMEOUT_MS, requirePyHanko, runPython } from './pyhanko.ts';

/** Matches the files in which a stamp would invalidate the signature. */
const STAMP_FORBIDDEN = /certified-1|certified-2|locked-document/;

async function qpdf(...args: string[]): Promise<void> {
  const child = Bun.spawn(['qpdf', ...args], { stdout: 'ignore', stderr: 'pipe' });
  const messages = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`qpdf: ${messages}`);
}

/** Writes source files that need different kinds of incremental update. */
async function writeSources(folder: string): Promise<string[]> {
  const file = (name: string) => join(folder, `${name}.pdf`);
  await Bun.write(file('table'), Buffer.from(pagesPdf(2), 'latin1'));
  const link =
    '<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/Border[0 0 0]/A<</S/URI/URI(https://example.com)>>>>';
  const rotated = plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[-20 -20 320 240]/Rotate 90>>',
    '<</Type/Page/Parent 2 0 R/Annots 4 0 R/Resources<<>>>>',
    '[5 0 R]',
    link,
  ]);
  await Bun.write(file('annotated'), Buffer.from(rotated, 'latin1'));
  await qpdf('--object-streams=generate', file('table'), file('streams'));
  for (const [name, bits, ...options] of [
    ['rc4', '128', '--use-aes=n', '--allow-weak-crypto'],
    ['aes128', '128', '--use-aes=y', '--allow-weak-crypto'],
    ['aes256', '256'],
  ] as const) {
    const [aes, weak] = [options.filter((option) => option.startsWith('--use')), options.slice(1)];
    await qpdf(...weak, '--encrypt', '', 'owner', bits, ...aes, '--', file('table'), file(name));
  }
  const on = '/AP<</N<</Yes 5 0 R/Off 5 0 R>>>>';
  const form = formPdf([
    widget('/FT/Tx/T(name)/Rect[10 700 210 720]'),
    widget('/FT/Tx/T(other)/Rect[10 660 210 680]'),
    widget(`/FT/Btn/T(agree)/Rect[10 620 30 640]/V/Off/AS/Off${on}`),
    widget('/FT/Ch/T(city)/Ff 131072/Rect[10 580 110 600]/Opt[(Berlin)(Paris)]'),
  ]);
  await Bun.write(file('form'), Buffer.from(form, 'latin1'));
  await qpdf('--object-streams=generate', file('form'), file('form-streams'));
  return ['table', 'annotated', 'streams', 'rc4', 'aes128', 'aes256', 'form', 'form-streams'].map(file);
}

/** Matches the files in which filling a field would invalidate the signature. */
const FILL_FORBIDDEN = /certified-1|locked-document|locked-fields|locked-name/;

/** Matches the files in which a new signature field would invalidate the signature. */
const ADD_FORBIDDEN = /certified|locked-document|locked-fields/;

/**
 * The values to fill in: text that the form's font can show, text that only the browser can draw, a checkbox
 * and an option.
 */
const VALUES = [
  { name: 'name', value: 'Ada' },
  { name: 'other', value: 'Ada 王 مرحبا' },
  { name: 'agree', value: true },
  { name: 'city', value: 'Paris' },
];

/** Returns the operations on a signed file: a stamp, new fields, and filling if it has a form. */
function operations(name: string) {
  const stamp = { name: 'Ada 王', x: 10, y: 100, width: 120 };
  const stamped = { suffix: 'stamped', path: '/v1/pdf/sign', request: stamp, forbidden: STAMP_FORBIDDEN };
  const addField = (suffix: string, field: object, forbidden: RegExp) => ({
    suffix,
    path: '/v1/pdf/forms/add-fields',
    request: { fields: [{ page: 0, x: 10, y: 100, width: 60, height: 30, ...field }] },
    forbidden,
  });
  const withField = [
    addField('to-be-signed', { name: 'next', type: 'signature' }, ADD_FORBIDDEN),
    addField('with-text', { name: 'remark', type: 'text' }, /./),
  ];
  if (!name.startsWith('form')) return [stamped, ...withField];
  const fill = (suffix: string, fields: object[]) => ({
    suffix,
    path: '/v1/pdf/forms/fill',
    request: { fields },
    forbidden: FILL_FORBIDDEN,
  });
  const filled = [stamped, ...withField, fill('filled', VALUES)];
  if (!name.includes('locked-name')) return filled;
  return [...filled, { ...fill('filled-others', VALUES.slice(1)), forbidden: /certified-1/ }];
}

interface Validation {
  intact: boolean;
  permitted: boolean;
  holds: boolean;
  changes: string;
}

describe.if(requirePyHanko() && requireTools())('files that pyHanko signed', () => {
  let folder: string;
  let service: TestService;
  let names: string[] = [];
  const changed: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-signed-'));
    service = await TestService.start();
    names = await runPython<string[]>(
      'sign_and_validate.py',
      'sign',
      folder,
      ...(await writeSources(folder)),
    );
  }, TIMEOUT_MS);

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test(
    'are only appended to, or rejected if a signature forbids the change',
    async () => {
      const faults: string[] = [];
      for (const name of names) {
        const pdf = await readFile(join(folder, name));
        for (const { suffix, path, request, forbidden } of operations(name)) {
          const sent = { ...request, pdf: pdf.toString('base64'), output: 'base64' };
          const { status, body } = await service.post(path, sent);
          if (forbidden.test(name)) {
            const isRefused = status === 400 && /DocMDP|locked|is signed/.test(body.error.message);
            if (!isRefused) faults.push(`${name}, ${suffix}: not refused`);
            continue;
          }
          if (status !== 200) {
            faults.push(`${name}, ${suffix}: ${status} ${body.error?.message}`);
            continue;
          }
          const result = Buffer.from(body.data, 'base64');
          if (!result.subarray(0, pdf.length).equals(pdf)) faults.push(`${name}, ${suffix}: bytes changed`);
          const file = join(folder, name.replace('.signed', `.${suffix}`));
          await Bun.write(file, result);
          await qpdf('--check', file);
          changed.push(file);
        }
      }
      expect(faults).toEqual([]);
      expect(changed.length).toBeGreaterThan(50);
    },
    TIMEOUT_MS,
  );

  test(
    'stay valid for pyHanko',
    async () => {
      const validations = await runPython<Record<string, Validation[]>>(
        'sign_and_validate.py',
        'validate',
        ...changed,
      );
      expect(Object.keys(validations).length).toBe(changed.length);
      const broken = Object.entries(validations).filter(
        ([, signatures]) =>
          signatures.length === 0 ||
          signatures.some(({ intact, permitted, holds }) => !intact || !permitted || !holds),
      );
      expect(broken).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
