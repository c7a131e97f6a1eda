import { afterAll, beforeEach, setDefaultTimeout } from 'bun:test';
import { AiProvider, page } from './ai-provider.ts';
import { sharedService } from './shared-service.ts';

/** Where a template is asked for. */
export const GENERATE_TEMPLATE = '/v1/ai/generate-template';

/** Starts a provider, a service that asks it and one that has none, for all tests of a file. */
export function aiServices() {
  setDefaultTimeout(60_000);
  const provider = new AiProvider();
  afterAll(() => provider[Symbol.asyncDispose]());
  beforeEach(() => provider.reset(() => page('<p>{{name}}</p>')));
  return { provider, service: sharedService({ env: provider.env() }), unconfigured: sharedService() };
}
