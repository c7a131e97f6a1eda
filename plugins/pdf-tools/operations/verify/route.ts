import type { RemoteResponse } from '@platen/signatures';
import { jsonOrMultipart, RawJson } from '../../../../src/plugin.ts';
import { unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { VerifyResponse, VerifyBody } from './schema.ts';

const MAX_BODY_BYTES = 41_000_000;
/** Longer than for most operations, because a file is read once for each signature. */
const TIMEOUT_MS = 60_000;
/**
 * The maximum number of rounds of requests. A response can lead to further requests: the certificate of an
 * issuer leads to its revocation list.
 */
const MAX_ROUNDS = 6;

const verifyExample = {
  signed: true,
  valid: true,
  signatures: [
    {
      field: 'Signature1',
      kind: 'signature',
      signer: 'Ada Lovelace',
      level: 'b-t',
      intact: true,
      trusted: true,
      covers_whole_file: true,
      signed_at: '2026-11-02T09:15:00.000Z',
      timestamp: { time: '2026-11-02T09:15:02.000Z', authority: 'Example TSA', trusted: true },
      changes_after: 'none',
      certificate: {
        subject: 'CN=Ada Lovelace, O=Example Ltd, C=GB',
        serial_number: '4fa2c81e',
        not_before: '2026-01-01T00:00:00.000Z',
        not_after: '2028-12-31T23:59:59.000Z',
      },
      problems: [],
    },
  ],
};

/**
 * Registers `POST /v1/pdf/verify`. The sandbox reads the file and verifies its signatures; this process only
 * fetches the revocation data that the sandbox asks for.
 */
export function verify({ routes, sandbox, files, revocation, trustRoots }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/verify',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Verify the signatures of a PDF',
      operationId: 'verifyPdf',
      idempotency: { ignored: 'reads a PDF and stores nothing' },
      description:
        'Checks every signature and document timestamp: whether the signed bytes are intact, whether the certificate leads to a trusted root and was neither expired nor revoked, its PAdES level, and whether later changes are allowed. Revocation data in the file is used first; otherwise it is fetched from the addresses in the certificates. A PDF without signatures has `signed: false`.',
      body: jsonOrMultipart(VerifyBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: { 'the roots of the operator': { pdf: samplePdf } },
      response: { schema: VerifyResponse, example: verifyExample },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { trust } = input.body;
      const pdf = await files.load(input);
      const limits = { timeoutMs: TIMEOUT_MS };
      const inspection = await unwrapTaskResult('pdf', tasks.inspect({ pdf, trust }, limits), TIMEOUT_MS);
      const session = revocation.open();
      const now = Date.now();
      const answers: RemoteResponse[] = [];
      for (let round = 1; ; round += 1) {
        const call = tasks.verify({ inspection, trustRoots, trust, answers, now }, limits);
        const result = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
        if ('json' in result) return new RawJson(result.json);
        answers.push(
          ...(round < MAX_ROUNDS
            ? await session.fetchAll(result.requests)
            : result.requests.map((request) => ({
                request,
                failure: 'was not asked, because the verification needs too many requests',
              }))),
        );
      }
    },
  );
}
