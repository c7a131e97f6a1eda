import { assemble } from './assembly.ts';
import type { Config } from './config.ts';
import { checkHealth } from './http/operations.ts';
import { createLog } from './log.ts';

/** Checks every part of the configured service without listening, and reports the results. */
export async function examine(config: Config): Promise<{ report: string; healthy: boolean }> {
  await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
  const parts = await checkHealth({ ...assembly.health, ...assembly.registry.diagnose });
  const lines = Object.entries(parts).map(
    ([name, { ok, text }]) => `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)}  ${text}`,
  );
  return { report: lines.join('\n'), healthy: Object.values(parts).every(({ ok }) => ok) };
}
