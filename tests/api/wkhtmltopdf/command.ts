import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The executable to which wrappers are pointed. */
export const EXECUTABLE = fileURLToPath(new URL('../../../bin/wkhtmltopdf', import.meta.url));

export interface CommandResult {
  status: number;
  stdout: Buffer;
  stderr: string;
}

/** A folder with the files of a test, in which the command runs. */
export class CommandFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'platen-command-'));

  /** Stores files by their names. */
  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) await Bun.write(join(this.path, name), content);
  }

  async read(name: string): Promise<Buffer> {
    return Buffer.from(await Bun.file(join(this.path, name)).bytes());
  }

  /** Runs the command with arguments and standard input. */
  async run(args: readonly string[], input = ''): Promise<CommandResult> {
    const child = Bun.spawn([EXECUTABLE, ...args], {
      cwd: this.path,
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).arrayBuffer(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { status, stdout: Buffer.from(stdout), stderr };
  }

  /** Runs the command and returns the PDF that it writes to standard output. @throws if it fails */
  async print(args: readonly string[], input = ''): Promise<Buffer> {
    const { status, stdout, stderr } = await this.run([...args, '-'], input);
    if (status !== 0) throw new Error(`the command ended with status ${status}: ${stderr}`);
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
