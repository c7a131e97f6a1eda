import { TestService, type TestSettings } from './service.ts';

/** Tries to start a service with invalid settings and returns the error. */
export async function bootError(settings: TestSettings): Promise<Error> {
  try {
    await using service = await TestService.start(settings);
    return new Error(`started at ${service.url}`);
  } catch (error) {
    return error as Error;
  }
}
