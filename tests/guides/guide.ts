import { join } from 'node:path';

export const guidesFolder = join(import.meta.dir, '..', '..', 'docs', 'guides');

/** A fenced block of a guide. */
export interface Block {
  language: string;
  text: string;
  /**
   * The file that the block shows: the name in backticks at the start of the line before, as in ``
   * `invoice.html`: ``.
   */
  file: string | undefined;
}

/** A command of a `console` block and the output that the guide shows for it. */
export interface Command {
  command: string;
  output: string;
}

/** Reads the fenced blocks of a guide in order. */
export async function readBlocks(guide: string): Promise<Block[]> {
  const text = await Bun.file(join(guidesFolder, guide)).text();
  const blocks = text.matchAll(/(?:^(.*:)\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, before = '', language = '', content = '']) => ({
    language,
    text: content,
    file: /^\[?`([\w.-]+)`/.exec(before)?.[1],
  }));
}

/** Reads the commands of a `console` block. A line that ends with a backslash continues. */
export function readCommands({ text }: Block): Command[] {
  const commands = text.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm);
  return [...commands].map(([, command = '', output = '']) => ({ command, output }));
}

/** Replaces ids and times by an ellipsis, as the guides do. */
export function abbreviate(output: string): string {
  return output
    .replaceAll(/\b(gen|req|tmpl|msg|batch)_[0-9A-Za-z]{24}\b/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/127\.0\.0\.1:\d+(?=\/docs\/)/g, '127.0.0.1:3000');
}

/** Runs a command to its end. Returns everything that it wrote, standard output first. */
export async function runCommand(
  command: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<{ code: number; output: string; errors: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH, HOME, LANG: 'C.UTF-8', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output, errors };
}
