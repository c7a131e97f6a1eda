import { afterAll, beforeEach, setDefaultTimeout } from 'bun:test';
import { AiProvider, page } from './provider.ts';
import { sharedService } from '../service/shared-service.ts';

/** Path of the endpoint that generates a template. */
export const GENERATE_TEMPLATE = '/v1/ai/generate-template';

/** Starts a provider, a service that uses it and a service without AI, for all tests of a file. */
export function aiServices() {
  setDefaultTimeout(60_000);
  const provider = new AiProvider();
  afterAll(() => provider[Symbol.asyncDispose]());
  beforeEach(() => provider.reset(() => page('<p>{{name}}</p>')));
  return { provider, service: sharedService({ env: provider.env() }), unconfigured: sharedService() };
}
