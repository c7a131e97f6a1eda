import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { cacheFolder } from '../../scripts/servers/s3.mjs';
import { pagesPdf } from '../api/pdf-samples.ts';
import { listen } from '../support/listen.ts';
import { requireTools } from '../support/pdf.ts';
import { TestService } from '../support/service.ts';

// `npm run signatures:verify`: certomancer serves a PKI on loopback, pyHanko signs PDFs with it at every level, and `/v1/pdf/verify` must agree with
// pyHanko and pdfsig about each of them.

const PACKAGES = ['pyhanko==0.38.0', 'certomancer[web-api]==0.16.0'];
const script = join(import.meta.dir, 'pki.py');

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command[0]} exited with ${exitCode}: ${stderr.toString()}`);
  return stdout.toString();
}

function installPackages(): string {
  const folder = join(cacheFolder(), 'signature-tools');
  const python = join(folder, 'bin', 'python');
  if (existsSync(join(folder, 'installed'))) return python;
  console.log(`installing ${PACKAGES.join(' and ')}`);
  run(['python3', '-m', 'venv', '--clear', folder]);
  run([python, '-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  run(['touch', join(folder, 'installed')]);
  return python;
}

/** Finds a port that is free now. */
async function freePort(): Promise<string> {
  const server = createServer();
  const host = await listen(server);
  await new Promise((resolve) => void server.close(resolve));
  return host.slice(host.indexOf(':') + 1);
}

async function untilServed(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await Bun.sleep(100);
  }
  throw new Error(`nothing answers at ${url}`);
}

if (requireTools()) {
  const python = installPackages();
  const folder = mkdtempSync(join(tmpdir(), 'platen-verify-'));
  const port = await freePort();
  const pki = Bun.spawn([python, script, 'serve', folder, port], { stdout: 'ignore', stderr: 'ignore' });
  const faults: string[] = [];
  try {
    await untilServed(`http://127.0.0.1:${port}/`);
    const source = join(folder, 'source');
    await Bun.write(source, Buffer.from(pagesPdf(2), 'latin1'));
    run([python, script, 'sign', folder, port, source]);
    const files = [...new Bun.Glob('*.pdf').scanSync(folder)].toSorted();
    const verdicts: Record<string, { valid: boolean; intact?: boolean; count?: number }> = JSON.parse(
      run([python, script, 'judge', ...files.map((file) => join(folder, file))]),
    );
    await using service = await TestService.start({ env: { EGRESS_ALLOW: `127.0.0.1:${port}` } });
    const trust = readFileSync(join(folder, 'root.cert.pem'), 'utf8');
    for (const file of files) {
      const path = join(folder, file);
      const { body } = await service.post('/v1/pdf/verify', {
        pdf: readFileSync(path).toString('base64'),
        trust,
      });
      const own = {
        valid: body.valid,
        intact: body.signatures.every(({ intact }: { intact: boolean }) => intact),
        count: body.signatures.length,
      };
      const { valid, intact, count } = verdicts[file] ?? {};
      if (!Bun.deepEquals(own, { valid, intact, count }))
        faults.push(
          `${file}: verify says ${JSON.stringify(own)}, pyHanko ${JSON.stringify({ valid, intact, count })}`,
        );
      // pdfsig does not know the roots, and judges integrity.
      const judged = Bun.spawnSync(['pdfsig', '-nocert', path]).stdout.toString();
      const sound = judged.match(/Signature is Valid/g)?.length ?? 0;
      if (sound !== own.count && !/ed25519|timestamped|lta/.test(file))
        faults.push(`${file}: pdfsig accepts ${sound} of ${own.count}`);
      console.log(`${file.padEnd(34)} ${JSON.stringify(own)}, pdfsig: ${sound}`);
    }
  } finally {
    pki.kill();
    await pki.exited;
    rmSync(folder, { recursive: true });
  }
  console.log(`${faults.length} faults`);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
