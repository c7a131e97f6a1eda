import { describe, expect, test } from 'bun:test';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';
import { documentedOperations, OPERATION_REQUESTS, soundPdf } from '../../support/pdf/operation-requests.ts';
import { hostileNames, hostilePdfs, plainPdf, repeatedPagePdf } from '../../support/pdf/samples.ts';

const service = extendedService();

/** A file in base64. Every operation must reject it if `isInvalid` is set. */
interface HostileFile {
  name: string;
  make: () => string;
  isInvalid?: boolean;
}

const references = (count: number, first: number) =>
  Array.from({ length: count }, (_, index) => `${first + index} 0 R`);

const hostileFiles = (options: { slow: boolean }): HostileFile[] =>
  hostileNames(options).map((name) => ({ name, make: () => base64(hostilePdfs[name]()) }));

const quick: readonly HostileFile[] = [
  ...hostileFiles({ slow: false }),
  { name: 'empty', make: () => '', isInvalid: true },
  { name: 'not base64', make: () => 'this is not base64!', isInvalid: true },
  { name: 'HTML', make: () => base64('<!DOCTYPE html><h1>Hello</h1>'), isInvalid: true },
  { name: 'only a header', make: () => base64('%PDF-1.7\n'), isInvalid: true },
];

/** These files run only in the thorough suite. */
const slow: readonly HostileFile[] = [
  ...hostileFiles({ slow: true }),
  {
    name: 'one byte too large',
    make: () => base64(Buffer.alloc(27_000_001, '%PDF-1.4\n')),
    isInvalid: true,
  },
  {
    name: 'more than 50,000 pages',
    make: () => {
      const kids = references(50_001, 3);
      const tree = `<</Type/Pages/Kids[${kids.join(' ')}]>>`;
      return base64(plainPdf(['<</Type/Catalog/Pages 2 0 R>>', tree, ...kids.map(() => '<</Type/Page>>')]));
    },
  },
  { name: 'a page listed 200,000 times', make: () => base64(repeatedPagePdf(200_000)) },
  {
    name: 'a chain of 20,000 references',
    make: () =>
      base64(
        plainPdf([
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Far 4 0 R>>',
          ...references(20_000, 5),
          '(the end)',
        ]),
      ),
  },
];

const requests = Object.entries(OPERATION_REQUESTS).flatMap(([operation, bodies]) =>
  bodies.map((body) => ({ operation, body })),
);
const post = (operation: string, body: object) => service().post(`/v1/pdf/${operation}`, body);

/** In `npm test`, each request gets every sixth file. */
const STEP = 6;
/** A slow file gets every third request, and the next one another third. */
const SLOW_STEP = 3;

const casesOf = (files: readonly HostileFile[]) =>
  files.flatMap((file) => requests.map((request) => ({ file, ...request })));
const casesOfSlow = () =>
  slow.flatMap((file, index) =>
    requests
      .filter((_, number) => (number + index) % SLOW_STEP === 0)
      .map((request) => ({ file, ...request })),
  );
const cases = [...casesOfSuite(casesOf(quick), STEP), ...(isThorough ? casesOfSlow() : [])];

test('every operation has a request', () => {
  const names = documentedOperations().map(({ name }) => name);
  expect(Object.keys(OPERATION_REQUESTS).toSorted()).toEqual(names.toSorted());
  expect(names.filter((name) => OPERATION_REQUESTS[name]?.length === 0)).toEqual([]);
});

test.if(isThorough)(
  'every request is valid',
  async () => {
    const pdf = base64(soundPdf);
    for (const { operation, body } of requests) {
      const answer = await post(operation, body(pdf));
      expect([operation, answer.status, answer.body.error]).toEqual([operation, 200, undefined]);
    }
  },
  120_000,
);

describe('a hostile file gets 200 or 400 from every operation, and the next call works', () => {
  const byFile = Map.groupBy(cases, ({ file }) => file);
  test.each([...byFile].map(([file, chosen]) => [file.name, file, chosen] as const))(
    '%s',
    async (_, { make, isInvalid }, chosen) => {
      const pdf = make();
      for (const { operation, body } of chosen) {
        const { status, body: answer } = await post(operation, body(pdf));
        if (status === 200 && isInvalid !== true) continue;
        // On a busy machine, the task got too little processor time.
        if (status === 503) continue;
        expect([operation, status, answer.error?.code]).toEqual([operation, 400, 'VALIDATION_ERROR']);
        if (isInvalid === true)
          expect([operation, answer.error.details[0].path]).toEqual([
            operation,
            expect.stringMatching(/(?:^|\.)(?:pdf|pdfs\[\d\]|overlay)$/),
          ]);
      }
      expect((await post('info', { pdf: base64(soundPdf) })).body.pages).toBe(2);
    },
    1_200_000,
  );
});
