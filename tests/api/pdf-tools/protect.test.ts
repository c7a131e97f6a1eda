import { describe, expect, test } from 'bun:test';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { base64, OperationClient, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { extendedService, sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf, withQpdf } from '../../support/pdf/samples.ts';
import { signedPdf } from '../../support/pdf/signed-samples.ts';

const service = extendedService();
const off = sharedService();
const protect = new OperationClient(service, 'protect');
const unlock = new OperationClient(off, 'unlock');

const PASSWORDS = { owner_password: 'owner', user_password: 'user' };

/** Returns the encryption as qpdf sees it with a password. */
const showEncryption = (pdf: Uint8Array, password: string) =>
  runOn(pdf, ['qpdf', '--show-encryption', `--password=${password}`, '{}']);

/** Checks a file with qpdf and a password. */
const check = (pdf: Uint8Array, password: string) =>
  runOn(pdf, ['qpdf', '--check', `--password=${password}`, '{}']);

describe('POST /v1/pdf/protect', () => {
  test('gets 501 for any body while it is off, but 401 without a key', async () => {
    for (const body of [{}, 'no JSON', { pdf: base64(pagesPdf(1)), owner_password: 'x' }]) {
      const answer = await off().post('/v1/pdf/protect', body);
      expect([answer.status, answer.body.error.code]).toEqual([501, 'NOT_IMPLEMENTED']);
      expect(answer.body.error.message).toContain('plugins.pdf-tools.protect');
    }
    expect((await off().post('/v1/pdf/protect', {}, null)).status).toBe(401);
  });

  test('rejects passwords that readers cannot use, and names the field', async () => {
    const pdf = pagesPdf(1);
    expect(await protect.rejection(pdf, {})).toStartWith('owner_password: ');
    expect(await protect.rejection(pdf, { owner_password: '' })).toStartWith('owner_password: ');
    expect(await protect.rejection(pdf, { owner_password: 'é'.repeat(64) })).toBe(
      'owner_password: must have at most 127 bytes of UTF-8',
    );
    expect(await protect.rejection(pdf, { ...PASSWORDS, user_password: 'a\nb' })).toStartWith(
      'user_password: ',
    );
    expect(await protect.rejection(pdf, { owner_password: '\u200d' })).toStartWith('owner_password: ');
    expect(await protect.rejection(pdf, { ...PASSWORDS, permissions: { print: true } })).toStartWith(
      'permissions.print: ',
    );
  });

  test('rejects a signed and an encrypted file', async () => {
    expect(await protect.rejection(signedPdf('', ''), PASSWORDS)).toStartWith('pdf: is signed');
    expect(await protect.rejection(hostilePdfs.ownerPassword(), PASSWORDS)).toStartWith(
      'pdf: is already encrypted',
    );
    expect(await protect.rejection(hostilePdfs.userPassword(), PASSWORDS)).toStartWith('pdf: is encrypted');
  });
});

describeWithPdfTools('a protected PDF', () => {
  test('opens with each password and no other', async () => {
    const body = await protect.read(pagesPdf(3), { ...PASSWORDS, output: 'base64' });
    expect(body.protected).toBe(true);
    const pdf = Buffer.from(body.data, 'base64');
    for (const password of ['owner', 'user']) expect(check(pdf, password)).toContain('No syntax');
    for (const password of ['', 'other']) expect(check(pdf, password)).toContain('invalid password');
    expect(runOn(pdf, ['pdftotext', '-upw', 'user', '{}', '-'])).toContain('Page 3');
    expect(showEncryption(pdf, 'owner')).toContain('R = 6');
  });

  test.each([
    [{}, ['low resolution: allowed', 'high resolution: allowed'], ['any purpose', 'anything']],
    [{ printing: false }, [], ['low resolution', 'high resolution', 'any purpose', 'anything']],
    [{ copying: true }, ['low resolution', 'any purpose'], ['anything', 'other annotations']],
    [
      { modifying: true },
      ['modify document assembly', 'modify forms', 'modify annotations', 'modify other', 'anything'],
      ['any purpose'],
    ],
    [
      { filling: true, assembling: true },
      ['modify document assembly', 'modify forms'],
      ['modify annotations', 'modify other', 'anything'],
    ],
    [
      { modifying: true, annotating: false, filling: false },
      ['modify document assembly', 'modify other'],
      ['modify forms', 'modify annotations', 'anything'],
    ],
  ])('has the permissions %p', async (permissions, allowed, denied) => {
    const pdf = await protect.write(pagesPdf(1), { ...PASSWORDS, permissions });
    const lines = showEncryption(pdf, 'user').split('\n');
    const isAllowed = (right: string) =>
      lines.some((line) => line.includes(right.split(':')[0] ?? '') && line.endsWith(': allowed'));
    expect(isAllowed('accessibility')).toBe(true);
    for (const right of allowed) expect([right, isAllowed(right)]).toEqual([right, true]);
    for (const right of denied) expect([right, isAllowed(right)]).toEqual([right, false]);
  });

  test('opens without a password if it has only an owner password', async () => {
    const pdf = await protect.write(pagesPdf(1), { owner_password: 'owner' });
    expect(check(pdf, '')).toContain('No syntax');
    expect(runOn(pdf, ['pdfinfo', '{}'])).toMatch(
      /Encrypted:\s+yes \(print:yes copy:no change:no addNotes:no/,
    );
  });

  test('has the exact password of a multipart request', async () => {
    const form = formOf([
      ['pdf', Buffer.from(pagesPdf(1), 'latin1')],
      ['owner_password', ' 0123 '],
      ['permissions', '{"printing": false}'],
      ['output', 'base64'],
    ]);
    const { body } = await postForm(service(), '/v1/pdf/protect', form);
    const pdf = Buffer.from(body.data, 'base64');
    expect(showEncryption(pdf, ' 0123 ')).toContain('Supplied password is owner password');
    expect(showEncryption(pdf, '')).toContain('print low resolution: not allowed');
  });

  test('is stored under its name, and its pages cannot be drawn', async () => {
    const body = await protect.read(pagesPdf(1), { ...PASSWORDS, file_name: 'secret' });
    expect(body.file_name).toBe('secret.pdf');
    const { body: file } = await service().get(`/v1/files/${body.file_id}`);
    expect([file.operation, file.pages]).toEqual(['protect', 1]);
    const image = await service().get(`/v1/files/${body.file_id}/pages/1.png`);
    expect([image.status, JSON.stringify(image.body)]).toEqual([
      400,
      expect.stringContaining('needs a password'),
    ]);
  });
});

describe('POST /v1/pdf/unlock', () => {
  test('rejects a wrong password and names the field', async () => {
    const pdf = withQpdf(pagesPdf(1), ['--encrypt', 'user', 'owner', '256', '--']);
    const wrong = 'password: is wrong: it is neither the user password nor the owner password of the PDF';
    expect(await unlock.rejection(pdf.toString('latin1'), { password: 'other' })).toBe(wrong);
    expect(await unlock.rejection(pdf.toString('latin1'), {})).toStartWith('password: ');
    expect(await unlock.rejection(pdf.toString('latin1'), { password: '' })).toBe(
      'password: is empty, but the PDF needs a password',
    );
  });

  test('returns a file that is not encrypted unchanged', async () => {
    const pdf = pagesPdf(2);
    expect((await unlock.write(pdf, { password: 'any' })).toString('latin1')).toBe(pdf);
  });
});

describeWithPdfTools('an unlocked PDF', () => {
  const weak = ['--allow-weak-crypto', '--encrypt', 'üser', 'öwner'];
  test.each([
    ['RC4, 40 bits', [...weak, '40', '--']],
    ['RC4, 128 bits', [...weak, '128', '--use-aes=n', '--']],
    ['AES, 128 bits', [...weak, '128', '--use-aes=y', '--']],
    ['AES, 256 bits, revision 5', [...weak, '256', '--force-R5', '--']],
    ['AES, 256 bits, revision 6', [...weak, '256', '--']],
  ])(
    'is not encrypted: %s',
    async (_, options) => {
      const pdf = withQpdf(pagesPdf(2), options);
      for (const password of ['üser', 'öwner']) {
        const unlocked = await unlock.write(pdf.toString('latin1'), { password });
        expect(check(unlocked, '')).toContain('No syntax');
        expect(runOn(unlocked, ['pdfinfo', '{}'])).toMatch(/Encrypted:\s+no/);
        expect(await pdfText(unlocked)).toContain('Page 2');
      }
    },
    60_000,
  );

  test('of a protected PDF has the title and text of the original', async () => {
    const pdf = await protect.write(pagesPdf(2, { info: '/Title(Plans)' }), PASSWORDS);
    const unlocked = await unlock.write(pdf.toString('latin1'), { password: 'user' });
    expect(runOn(unlocked, ['pdfinfo', '{}'])).toMatch(/Title:\s+Plans/);
    expect(await pdfText(unlocked)).toContain('Page 2');
  });
});

describe('options.protect', () => {
  const generate = (options: object, target = service) =>
    target().post('/v1/generate', { html: '<p>Secret plans', options, output: 'base64' });

  test('is rejected while it is off, also in a batch and a preview', async () => {
    const options = { protect: { ownerPassword: 'owner' } };
    const message = 'options.protect: is switched off on this service';
    expect(rejectionOf(await generate(options, off))).toStartWith(message);
    const batch = await off().post('/v1/generate/batch', { items: [{ html: 'x', options }] });
    expect(rejectionOf(batch)).toStartWith(`items[0].${message}`);
    const preview = await off().post('/v1/templates/preview', { html_content: 'x', options });
    expect(rejectionOf(preview)).toStartWith(message);
  });

  test('is rejected with pdfa, and in a stored template', async () => {
    const options = { protect: { ownerPassword: 'owner' } };
    expect(rejectionOf(await generate({ ...options, pdfa: true }))).toMatch(
      /^options\.protect: cannot be combined with pdfa: PDF\/A forbids encryption.*POST \/v1\/pdf\/protect/,
    );
    const template = { name: 'x', html_content: 'x', options };
    expect(rejectionOf(await service().post('/v1/templates', template))).toStartWith(
      'options.protect: cannot be stored',
    );
  });

  test('names a password that readers cannot use', async () => {
    const rejection = (passwords: object) => generate({ protect: passwords }).then(rejectionOf);
    expect(await rejection({})).toStartWith('options.protect.ownerPassword: ');
    expect(await rejection({ ownerPassword: 'é'.repeat(64) })).toStartWith('options.protect.ownerPassword: ');
    // Its normal form is 18 times as long.
    expect(await rejection({ ownerPassword: 'o', userPassword: '\ufdfa'.repeat(40) })).toStartWith(
      'options.protect.userPassword: ',
    );
  });

  test('keeps an accessible PDF accessible, with its proof', async () => {
    const { status, body } = await service().post('/v1/generate', {
      html: '<html lang=en><title>Plans</title><h1>Plans</h1><p>Secret',
      options: { accessible: true, protect: { ownerPassword: 'owner' } },
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const { body: proof } = await service().get(`/v1/generations/${body.id}/proof`);
    expect(proof.claims).toMatchObject([{ standard: 'PDF/UA', level: '1' }]);
    expect(proof.steps).toEqual([{ do: 'print' }, { do: 'accessible' }, { do: 'protect' }]);
    const { body: validation } = await service().post('/v1/pdf/validate', { pdf: body.id });
    expect(validation.results).toEqual([{ profile: 'pdfua-1', valid: true, findings: [] }]);
  });

  describeWithPdfTools('a generated PDF', () => {
    const options = {
      properties: { title: 'Plans' },
      protect: { ownerPassword: 'owner', userPassword: 'user', permissions: { copying: true } },
    };

    test('is protected', async () => {
      const { body } = await generate(options);
      expect(body.pages).toBe(1);
      const pdf = Buffer.from(body.data, 'base64');
      expect(check(pdf, 'user')).toContain('No syntax');
      expect(check(pdf, '')).toContain('invalid password');
      const info = runOn(pdf, ['pdfinfo', '-upw', 'user', '{}']);
      expect(info).toMatch(/Title:\s+Plans/);
      expect(info).toMatch(/Encrypted:\s+yes \(print:yes copy:yes change:no/);
    });

    test('can be seen as an image in a preview', async () => {
      const preview = await service().post('/v1/templates/preview', {
        html_content: 'x',
        options,
        output: 'png',
      });
      expect(preview.status).toBe(200);
    });
  });
});
