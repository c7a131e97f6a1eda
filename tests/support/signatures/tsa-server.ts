import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../sites/listen.ts';
import { issue, type Party } from '../../../packages/signatures/tests/certificates.ts';
import { answerTimestamp, type TsaBehaviour } from '../../../packages/signatures/tests/responders.ts';

/** A time stamping authority on loopback, with its root. */
export interface TestTsa {
  url: string;
  root: Party;
  /**
   * How the authority responds. `silent` closes the connection; a number is the status of an empty response.
   */
  behaviour: TsaBehaviour | 'silent' | number;
  /** The behaviour of an honest authority. */
  honest: TsaBehaviour;
}

/** Starts an honest authority. */
export async function startTsa(): Promise<TestTsa> {
  const root = issue({ name: 'Root' });
  const purposes = { list: ['1.3.6.1.5.5.7.3.8'], critical: true };
  const honest = { signer: issue({ name: 'TSA', issuer: root, purposes }) };
  const tsa: TestTsa = { url: '', root, behaviour: honest, honest };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const { behaviour } = tsa;
    if (behaviour === 'silent') response.destroy();
    else if (typeof behaviour === 'number') response.writeHead(behaviour).end();
    else {
      response.setHeader('content-type', 'application/timestamp-reply');
      response.end(await answerTimestamp(body, behaviour));
    }
  };
  const host = await listen(createServer((request, response) => void answer(request, response)));
  tsa.url = `http://${host}/tsa`;
  return tsa;
}
