import { ConfigError, type Handlebars } from '../../src/plugin.ts';
import type { StartersService } from './contract.ts';
import type { StarterFiles } from './read-starters.ts';

const PARSE_TIMEOUT_MS = 10_000;

/** Makes the service of starters that were read. */
export function createStartersService(files: StarterFiles): StartersService {
  const starters = [...files.values()]
    .map(({ starter }) => starter)
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  return {
    list: () => starters,
    find: (slug) => files.get(slug)?.starter ?? null,
  };
}

/** Parses every starter in the tool process. @throws {ConfigError} that names the file, line and column. */
export async function requireTemplates(files: StarterFiles, handlebars: Handlebars): Promise<void> {
  for (const { starter, file } of files.values()) {
    const result = await handlebars.parseTemplate({ source: starter.html }, { timeoutMs: PARSE_TIMEOUT_MS });
    if (!result.ok) throw new ConfigError(`${file}.html_content: ${result.message}`);
  }
}
