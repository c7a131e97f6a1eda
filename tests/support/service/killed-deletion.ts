// A process that deletes a result as the service does, and kills itself at one of the writes:
// `bun killed-deletion.ts <path of the route> <id> <API key> <number of the write>`.
import { assemble } from '../../../src/assembly.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/log.ts';
import { openFiles, openState } from '../../../src/state.ts';
import { DyingProcess } from './dying-process.ts';

const [path = '', id = '', key = '', dieAt = ''] = process.argv.slice(2);
const dying = new DyingProcess(() => process.kill(process.pid, 'SIGKILL'));
await using assembly = await assemble(loadConfig(), createLog({ level: 'silent' }), () => '', {
  state: async (config) => {
    const state = await openState(config);
    return { ...state, store: dying.store(state.store) };
  },
  files: async (config, links) => dying.files(await openFiles(config, links)),
});
const account = (await assembly.accounts.authenticate(key))?.account;
const route = assembly.routes.find((each) => each.method === 'delete' && each.path === path);
if (!account || !route) throw new Error('no such account or route');
dying.revive({ dieAt: Number(dieAt) });
const request = new Request(`http://platen.test${path}`, { method: 'DELETE' });
await route.handler({ account, request, params: { id }, query: {}, body: undefined } as never);
