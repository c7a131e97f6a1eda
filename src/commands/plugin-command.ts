import { pluginCommands } from '../../plugins/index.ts';
import { readEnv } from '../config.ts';
import { startSandbox } from '../sandbox/sandbox.ts';

/** Runs a command of a plugin, which needs no service. Returns its exit status. */
export async function runPluginCommand(
  name: keyof typeof pluginCommands,
  args: readonly string[],
): Promise<number> {
  const { run } = await pluginCommands[name]();
  return run({
    args,
    openSandbox: (modules) => startSandbox({ slots: 1, modules }),
    env: readEnv,
  });
}
