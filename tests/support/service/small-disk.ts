import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory of a given size. Needs the right to mount. */
export class SmallDisk implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Tells whether this process may mount file systems. The reason is printed once. */
  static async isAvailable(): Promise<boolean> {
    try {
      await (await SmallDisk.mount(1))[Symbol.asyncDispose]();
      return true;
    } catch (error) {
      console.warn(`tests on a small disk are skipped: ${String(error)}`);
      return false;
    }
  }

  static async mount(megabytes: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'platen-disk-'));
    try {
      await run(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path]);
    } catch (error) {
      await rmdir(path);
      throw error;
    }
    return new SmallDisk(path);
  }

  /** Forbids or permits writing. Fails while a file is open for writing. */
  async remount(mode: 'ro' | 'rw'): Promise<void> {
    await run(['mount', '-o', `remount,${mode}`, this.path]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run(['umount', '--lazy', this.path]);
    await rmdir(this.path);
  }
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' });
  const stderr = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${stderr.trim()}`);
}
