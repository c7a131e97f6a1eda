import type { Caller } from '../contract.ts';
import type { OperationInput } from '../operation.ts';

/**
 * Creates the input of an operation that another plugin runs. Nothing that would describe the request has a
 * meaning here.
 */
export function inputOf({ account, isTest, signal, reserveMemory }: Caller): OperationInput<object> {
  const nothing = () => {};
  return {
    account,
    isTest,
    signal,
    reserveMemory,
    body: {},
    keyId: undefined,
    requireScope: nothing,
    params: {},
    query: {},
    request: new Request('https://pipeline.invalid/'),
    address: '',
    headers: new Headers(),
    attempt: undefined,
    digest: undefined,
    audit: { describe: async () => {}, made: nothing, uncertain: nothing },
    startedAt: performance.now(),
    accept: nothing,
  };
}
