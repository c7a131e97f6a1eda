import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readFeature, type Scenario, type Step } from './gherkin.ts';

/** A scenario of a feature file. */
export interface NamedScenario extends Scenario {
  /** The name of the feature file without its suffix. */
  feature: string;
}

/** Gotenberg's scenarios with the files that they send. Both stay outside this repository. */
export interface SourceFolder {
  scenarios: NamedScenario[];
  /** The folder to which paths such as `testdata/page_1.pdf` are relative. */
  folder: string;
}

/**
 * Reads the features of a clone of Gotenberg, or of its folder `test/integration`.
 * @throws {Error} if the folder has no features
 */
export function readSourceFolder(path: string): SourceFolder {
  const folder = [join(path, 'test', 'integration'), path]
    .map((candidate) => resolve(candidate))
    .find((candidate) => existsSync(join(candidate, 'features')));
  if (folder === undefined)
    throw new Error(`${path} is no clone of Gotenberg: it has no test/integration/features`);
  const files = readdirSync(join(folder, 'features'))
    .filter((name) => name.endsWith('.feature'))
    .toSorted();
  const scenarios = files.flatMap((name) => {
    const feature = basename(name, '.feature');
    const { scenarios: own } = readFeature(readFileSync(join(folder, 'features', name), 'utf8'));
    return own.map((scenario) => ({ feature, ...scenario }));
  });
  return { scenarios, folder };
}

/** What Gotenberg's own runner sets for every scenario that does not set it otherwise. */
const COMMON_ENVIRONMENT = {
  CHROMIUM_ALLOW_LIST: '.+',
  API_DOWNLOAD_FROM_ALLOW_LIST: '.+',
  WEBHOOK_ALLOW_LIST: '.+',
};

/** The environment of a step that starts a service; `undefined` for another step. */
export function environmentOf({ text, table = [] }: Step): Record<string, string> | undefined {
  if (text === 'I have a default Gotenberg container') return COMMON_ENVIRONMENT;
  if (!text.startsWith('I have a Gotenberg container with')) return undefined;
  return {
    ...COMMON_ENVIRONMENT,
    ...Object.fromEntries(table.map(([name = '', value = '']) => [name, value])),
  };
}
