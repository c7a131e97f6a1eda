import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  /** The service to use; without it, the command starts one. */
  service?: { url: string; key: string };
  input?: string;
  env?: Record<string, string>;
}

/** A folder with the files of a test, in which `platen` runs. */
export class CommandFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'platen-command-'));
  /** The folder for temporary files of the commands. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'platen-temporary-'));

  /** Stores files by their paths. */
  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      await Bun.write(join(this.path, name), content);
    }
  }

  read(name: string): Promise<Uint8Array> {
    return Bun.file(join(this.path, name)).bytes();
  }

  /** Starts `platen` with arguments. */
  start(args: readonly string[], { service, input = '', env = {} }: RunOptions = {}) {
    return Bun.spawn([process.execPath, '--no-install', '--no-env-file', PROGRAM, ...args], {
      cwd: this.path,
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
      env: {
        ...process.env,
        TMPDIR: this.temporary,
        PLATEN_URL: service?.url,
        PLATEN_API_KEY: service?.key,
        ...env,
      },
    });
  }

  /** Runs `platen` with arguments until it ends. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    const child = this.start(args, options);
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { status, stdout, stderr };
  }

  [Symbol.dispose](): void {
    for (const folder of [this.path, this.temporary]) rmSync(folder, { recursive: true, force: true });
  }
}
