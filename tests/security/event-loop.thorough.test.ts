import { afterAll, beforeAll, expect, test } from 'bun:test';
import { EventLoopService, MAX_BLOCK_MS } from '../support/event-loop/service.ts';
import { worstInputs } from '../support/event-loop/worst-inputs.ts';

let service: EventLoopService;
beforeAll(async () => {
  service = await EventLoopService.start({ stores: true });
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
}, 60_000);

const inputs = worstInputs.filter(({ benchOnly }) => !benchOnly);

test.each(inputs.map((input) => [input.route, input.name, input] as const))(
  '%s with %s does not block the event loop',
  async (_, __, input) => {
    expect(await service.shortestBlockMs(input)).toBeLessThan(MAX_BLOCK_MS);
  },
  120_000,
);
