import type { Account, Log } from '../../src/plugin.ts';
import type { TemplateTestsService } from '../template-tests/contract.ts';
import type { StarterCase } from './contract.ts';

/** How often a case is sent that cannot be stored. */
const MAX_ATTEMPTS = 2;

/**
 * Stores the cases of a starter with a template that was made from it, and returns the names of the stored
 * ones. A case that cannot be stored is logged and left out, because the template is of use without it.
 * Without template tests, no case is stored.
 */
export async function storeCases(
  { cases, templateId }: { cases: readonly StarterCase[]; templateId: string },
  {
    tests,
    log,
    ...request
  }: {
    account: Pick<Account, 'id'>;
    reserveMemory: (bytes: number) => void;
    tests: Pick<TemplateTestsService, 'put'> | undefined;
    log: Pick<Log, 'warn'>;
  },
): Promise<string[]> {
  if (!tests) return [];
  const store = async ({ name, data }: StarterCase): Promise<boolean> => {
    const input = { name, dataJson: JSON.stringify(data), optionsJson: null };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await tests.put(request, templateId, input);
        return true;
      } catch (error) {
        if (attempt < MAX_ATTEMPTS) continue;
        log.warn({ err: error, template: templateId, case: name }, 'a case of a starter was not stored');
        return false;
      }
    }
  };
  const stored = new Set<string>();
  // Lists show the newest case first, which then is the first one of the starter.
  for (const each of cases.toReversed()) if (await store(each)) stored.add(each.name);
  return cases.map(({ name }) => name).filter((name) => stored.has(name));
}
