import { cases } from '../../../plugins/template-tests/collections.ts';
import { loadConfig } from '../../../src/config.ts';
import { openState } from '../../../src/state.ts';
import type { TestService } from '../service/service.ts';

/** Stores that a new version of the browser changes the accepted pages of a case, as its check does. */
export async function markChanged(
  { env, dataDir }: Pick<TestService, 'env' | 'dataDir'>,
  caseId: string,
): Promise<void> {
  const { store } = await openState(loadConfig({ env: { PATH: process.env['PATH'], ...env }, cwd: dataDir }));
  try {
    const change = {
      from: '141.0.7390.122',
      to: '142.0.7444.59',
      status: 'different',
      at: Date.now(),
    } as const;
    const collection = await store.collection(cases);
    const marked = await collection.update(
      { id: caseId },
      { browserChange: change, changeStatus: change.status },
    );
    if (!marked) throw new Error(`there is no case ${caseId}`);
  } finally {
    await store.close();
  }
}
