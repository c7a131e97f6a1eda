import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateProfiles } from '@platen/pdf-standards';
import { documentedOperations, OPERATION_REQUESTS } from '../support/pdf/operation-requests.ts';
import { issue, toPem } from '../../packages/signatures/tests/certificates.ts';
import { pkcs12Of } from '../../packages/signatures/tests/pkcs12.ts';
import { answerTimestamp } from '../../packages/signatures/tests/responders.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { isThorough } from '../support/suite.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../support/pdf/verapdf.ts';

const root = issue({ name: 'Test root', isAuthority: true });
const purposes = { list: ['1.3.6.1.5.5.7.3.8'], critical: true };
const tsa = issue({ name: 'TSA', issuer: root, purposes });
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) =>
    new Response(new Uint8Array(await answerTimestamp(await request.bytes(), { signer: tsa }))),
});
afterAll(() => server.stop(true));
const address = `127.0.0.1:${server.port}`;
const service = sharedService({
  env: { EGRESS_ALLOW: address },
  config: {
    plugins: { 'pdf-tools': { protect: true, tsaUrl: `http://${address}`, trustRoots: [toPem(root)] } },
  },
});

const HTML =
  '<!doctype html><html lang="en"><title>Report</title><h1>Report</h1><p>See <a href="https://example.org">the site</a>.</p><h2>More</h2><p style="break-before:page">The second page.</p></html>';
const field = { name: 'x', type: 'checkbox', page: 0, x: 300, y: 700, width: 20, height: 20, tooltip: 'Yes' };
const box = { x: 300, y: 20, width: 120, height: 40 };

/** The claims of each source. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'PDF/A-2b': ['pdfa-2b'],
  'PDF/UA': ['pdfua-1'],
  'PDF/A-2b and PDF/UA': ['pdfa-2b', 'pdfua-1'],
};

type Request = (pdf: string) => object;
let certificate = '';

/**
 * The requests of operations whose requests in other tests do not fit the sources, such as those that name a
 * form field.
 */
const ADAPTED_REQUESTS: Readonly<Record<string, readonly Request[]>> = {
  attachments: [(pdf) => ({ pdf, add: [{ name: 'b.txt', data: 'AAAA' }] })],
  'forms/add-fields': ['checkbox', 'signature', 'text'].map((type) => (pdf) => ({
    pdf,
    fields: [{ ...field, name: 'new', y: 600, type, ...(type === 'text' && { defaultValue: 'new' }) }],
  })),
  'forms/fill': [
    (pdf) => ({ pdf, fields: [{ name: 'x', value: true }] }),
    (pdf) => ({ pdf, fields: [{ name: 'x', value: true }], flatten: true }),
  ],
  outline: [(pdf) => ({ pdf, set: [{ title: 'x', page: 1 }] })],
  properties: [
    (pdf) => ({ pdf, set: { author: 'Ada' } }),
    (pdf) => ({ pdf, set: { title: null } }),
    (pdf) => ({ pdf, set: { title: 'New', language: 'de' } }),
    (pdf) => ({ pdf, set: { language: null } }),
  ],
  // A file that needs a password could not be checked.
  protect: [(pdf) => ({ pdf, owner_password: 'owner' })],
  sign: [
    (pdf) => ({ pdf, certificate, visible: false }),
    (pdf) => ({ pdf, certificate, level: 'b-t', ...box }),
    (pdf) => ({ pdf, name: 'Ada', ...box }),
  ],
  unlock: [(pdf) => ({ pdf, password: '' })],
};

/** All operations that return PDFs, each with its requests. */
const OPERATIONS = documentedOperations()
  // The parts of a split are in an archive.
  .filter(({ name, mediaTypes }) => mediaTypes.includes('application/pdf') || name === 'split')
  .map(({ name }) => ({ name, requests: ADAPTED_REQUESTS[name] ?? OPERATION_REQUESTS[name] ?? [] }));

/**
 * The last columns of the table in the documentation, by operation: whether claims of PDF/A and PDF/UA are
 * kept.
 */
const DOCUMENTED: ReadonlyMap<string, Record<'pdfa' | 'pdfua', string | undefined>> = new Map(
  readFileSync(join(import.meta.dir, '../../docs/pdf-operations.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, pdfa, pdfua] =
        /^\| `([^`]+)` .* \| (kept|removed) +\| (kept|removed) +\|$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, { pdfa, pdfua }] as const];
    }),
);

/** Operations that return these sources unchanged, because they are already compressed and not encrypted. */
const UNCHANGED = new Set(['compress', 'unlock']);

/** The operations that `npm test` checks. The others take more time. */
const FAST = new Set(['properties', 'timestamp']);

async function post(path: string, body: object) {
  const answer = await service().post(path, { ...body, output: 'base64' });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

/** Returns the PDFs of a response. */
function pdfsOf(body: { data?: string; parts?: { data?: string }[] }): Buffer[] {
  const found = [body, ...(body.parts ?? [])].flatMap(({ data }) => data ?? []);
  return found.map((data) => Buffer.from(data, 'base64')).filter((file) => file.includes('%PDF-'));
}

/** Returns the claims of PDF/A and PDF/UA, without those of signatures. */
function claimsOf(validation: Awaited<ReturnType<typeof validateProfiles>>): string[] {
  return validation.claims.filter((claim) => claim.startsWith('pdf'));
}

const sources = new Map<string, string>();
/** The results by the profile that they claim, and by the operation that made them. */
const claimed = new Map<string, Map<string, Uint8Array>>();

beforeAll(async () => {
  const pkcs12 = pkcs12Of(issue({ name: 'Ada', issuer: root }), [root]).toString('base64');
  certificate = (await service().post('/v1/certificates', { pkcs12 })).body.id;
  const make = async (options: object) => {
    const { data } = await post('/v1/generate', { html: HTML, options });
    return (await post('/v1/pdf/forms/add-fields', { pdf: data, fields: [field] })).data;
  };
  const accessible = await make({ accessible: true });
  sources.set('PDF/UA', accessible);
  sources.set('PDF/A-2b and PDF/UA', (await post('/v1/pdf/pdfa', { pdf: accessible, level: '2b' })).data);
  if (isThorough)
    sources.set('PDF/A-2b', (await post('/v1/pdf/pdfa', { pdf: await make({}), level: '2b' })).data);
}, 60_000);

test('every operation that returns a PDF has a request', () => {
  expect(OPERATIONS.filter(({ requests }) => requests.length === 0)).toEqual([]);
  expect(OPERATIONS.length).toBeGreaterThan(15);
  expect(DOCUMENTED.size).toBeGreaterThan(15);
});

describe.each(Object.entries(SOURCES).filter(([name]) => isThorough || name === 'PDF/A-2b and PDF/UA'))(
  'a file that conforms to %s',
  (source, claims) => {
    test('has only these claims, and no violations', async () => {
      const validation = await validateProfiles(Buffer.from(sources.get(source) ?? '', 'base64'));
      expect(validation.results.flatMap(({ findings }) => findings)).toEqual([]);
      expect(claimsOf(validation)).toEqual([...claims]);
    });

    test.each(OPERATIONS.filter(({ name }) => isThorough || FAST.has(name)))(
      'claims nothing false after $name',
      async ({ name, requests }) => {
        for (const [index, request] of requests.entries()) {
          const body = await post(`/v1/pdf/${name}`, request(sources.get(source) ?? ''));
          const pdfs = pdfsOf(body);
          expect(pdfs.length).toBeGreaterThan(0);
          for (const [part, pdf] of pdfs.entries()) {
            const validation = await validateProfiles(pdf);
            const what = `${source}, ${name} ${index}, file ${part}`;
            const findings = validation.results.flatMap(({ profile, findings: own }) =>
              own.map(({ clause, message }) => `${what}: ${profile} ${clause} ${message}`),
            );
            expect(findings).toEqual([]);
            const documented = DOCUMENTED.get(name);
            if (index === 0 && claims.length === 2 && documented && !UNCHANGED.has(name)) {
              const kept = (prefix: string) =>
                claimsOf(validation).some((claim) => claim.startsWith(prefix)) ? 'kept' : 'removed';
              expect(documented).toEqual({ pdfa: kept('pdfa'), pdfua: kept('pdfua') });
            }
            for (const claim of claimsOf(validation))
              claimed.set(claim, (claimed.get(claim) ?? new Map()).set(what, pdf));
          }
        }
      },
      60_000,
    );
  },
);

/** Generates a PDF in a pipeline. Returns the standards in its proof. */
async function provenAfter(options: object, steps: readonly object[]): Promise<string[]> {
  const { id, data } = await post('/v1/pdf/pipeline', { generate: { html: HTML, options }, steps });
  const pdf = Buffer.from(data, 'base64');
  for (const claim of claimsOf(await validateProfiles(pdf)))
    claimed.set(claim, (claimed.get(claim) ?? new Map()).set(JSON.stringify([options, steps]), pdf));
  const { body } = await service().get(`/v1/generations/${id}/proof`);
  return body.claims.map(({ standard }: { standard: string }) => standard);
}

describe('a pipeline', () => {
  test('converts an accessible document, and signs it', async () => {
    const steps = [
      { do: 'pdfa', level: '2b' },
      { do: 'sign', certificate, visible: false },
    ];
    expect(await provenAfter({ accessible: true }, steps)).toEqual(['PDF/UA', 'PDF/A', 'PAdES']);
  });

  const documents = [{ pdfa: '2b' }, { pdfa: '3b', accessible: true }, { accessible: true }];
  test.each(documents.filter((_, index) => isThorough || index === 1))(
    'adds a timestamp to a document with %p',
    async (options) => {
      const expected = [
        ...('pdfa' in options ? ['PDF/A'] : []),
        ...('accessible' in options ? ['PDF/UA'] : []),
      ];
      expect(await provenAfter(options, [{ do: 'timestamp' }])).toEqual(expected);
    },
  );

  test('names the step that removes a claim of the generated document', async () => {
    const { status, body } = await service().post('/v1/pdf/pipeline', {
      generate: { html: HTML, options: { accessible: true } },
      steps: [
        { do: 'watermark', text: 'Draft' },
        { do: 'sign', certificate, visible: false },
      ],
    });
    expect([status, body.error.details[0].path]).toEqual([400, 'steps.0']);
    expect(body.error.message).toEndWith('Leave out this step, or generate.options.accessible');
  });
});

test('the proof of a signed or timestamped file has the claims that it keeps', async () => {
  const pdf = sources.get('PDF/A-2b and PDF/UA');
  const proven = async (path: string, fields: object) => {
    const { file_id: id } = await post(path, { pdf, ...fields });
    const { body } = await service().get(`/v1/files/${id}/proof`);
    return body.claims.map(({ standard }: { standard: string }) => standard);
  };
  expect(await proven('/v1/pdf/sign', { certificate })).toEqual(['PDF/A', 'PDF/UA', 'PAdES']);
  expect(await proven('/v1/pdf/timestamp', {})).toEqual(['PDF/A', 'PDF/UA']);
  expect(await proven('/v1/pdf/pdfa', { level: '3b' })).toEqual(['PDF/A', 'PDF/UA']);
});

if (requireVeraPdf())
  test.each(['pdfa-1b', 'pdfa-2b', 'pdfa-3b', 'pdfua-1'] as const)(
    'veraPDF confirms every claim of %s',
    async (claim) => {
      const files = claimed.get(claim) ?? new Map<string, Uint8Array>();
      const profile = claim === 'pdfua-1' ? 'ua1' : (claim.slice(5) as '1b' | '2b' | '3b');
      const violations = [...(await validateWithVeraPdf(files, profile))].filter(
        ([, found]) => found.length > 0,
      );
      expect(violations).toEqual([]);
    },
    120_000,
  );
