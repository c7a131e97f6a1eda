import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../scripts/servers/s3.mjs';
import { pagesPdf, plainPdf } from '../api/pdf-samples.ts';
import { requireTools } from '../support/pdf.ts';
import { TestService } from '../support/service.ts';

// `npm run signatures`: pyHanko signs PDFs, the service stamps them, pyHanko says whether the signatures still hold.

const PYHANKO = 'pyhanko==0.38.0';
const judgeScript = join(import.meta.dir, 'pyhanko_judge.py');

/** Of these a stamp would break the signature. */
const FORBIDDEN = /certified-1|certified-2|locked-document/;

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command[0]} exited with ${exitCode}: ${stderr.toString()}`);
  return stdout.toString();
}

function installPyHanko(): string {
  const folder = join(cacheFolder(), PYHANKO.replace('==', '-'));
  const python = join(folder, 'bin', 'python');
  if (existsSync(join(folder, 'installed'))) return python;
  console.log(`installing ${PYHANKO}`);
  run(['python3', '-m', 'venv', '--clear', folder]);
  run([python, '-m', 'pip', 'install', '--quiet', PYHANKO]);
  run(['touch', join(folder, 'installed')]);
  return python;
}

/** Files of each kind that an update must go on in its own way. */
async function writeSources(folder: string): Promise<string[]> {
  const file = (name: string) => join(folder, `${name}.pdf`);
  await Bun.write(file('table'), Buffer.from(pagesPdf(2), 'latin1'));
  const link =
    '<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/Border[0 0 0]/A<</S/URI/URI(https://example.com)>>>>';
  const turned = plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[-20 -20 320 240]/Rotate 90>>',
    '<</Type/Page/Parent 2 0 R/Annots 4 0 R/Resources<<>>>>',
    '[5 0 R]',
    link,
  ]);
  await Bun.write(file('annotated'), Buffer.from(turned, 'latin1'));
  run(['qpdf', '--object-streams=generate', file('table'), file('streams')]);
  for (const [name, bits, ...options] of [
    ['rc4', '128', '--use-aes=n', '--allow-weak-crypto'],
    ['aes128', '128', '--use-aes=y', '--allow-weak-crypto'],
    ['aes256', '256'],
  ] as const) {
    const [aes, weak] = [options.filter((option) => option.startsWith('--use')), options.slice(1)];
    run(['qpdf', ...weak, '--encrypt', '', 'owner', bits, ...aes, '--', file('table'), file(name)]);
  }
  return ['table', 'annotated', 'streams', 'rc4', 'aes128', 'aes256'].map(file);
}

interface Verdict {
  intact: boolean;
  permitted: boolean;
  holds: boolean;
  changes: string;
}

if (requireTools()) {
  const python = installPyHanko();
  const folder = mkdtempSync(join(tmpdir(), 'platen-signatures-'));
  await using service = await TestService.start();
  run([python, judgeScript, 'sign', folder, ...(await writeSources(folder))]);
  const faults: string[] = [];
  const stamped: string[] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.signed.pdf'))) {
    const pdf = Buffer.from(await Bun.file(join(folder, name)).bytes());
    const request = {
      pdf: pdf.toString('base64'),
      name: 'Ada 王',
      x: 10,
      y: 100,
      width: 120,
      output: 'base64',
    };
    const { status, body } = await service.post('/v1/pdf/sign', request);
    if (FORBIDDEN.test(name)) {
      if (status !== 400 || !/DocMDP/.test(body.error.message)) faults.push(`${name}: not refused`);
      continue;
    }
    if (status !== 200) {
      faults.push(`${name}: ${status} ${body.error?.message}`);
      continue;
    }
    const result = Buffer.from(body.data, 'base64');
    if (!result.subarray(0, pdf.length).equals(pdf)) faults.push(`${name}: bytes changed`);
    const file = join(folder, name.replace('.signed', '.stamped'));
    await Bun.write(file, result);
    run(['qpdf', '--check', file]);
    stamped.push(file);
  }
  const verdicts: Record<string, Verdict[]> = JSON.parse(run([python, judgeScript, 'judge', ...stamped]));
  for (const [name, signatures] of Object.entries(verdicts)) {
    const said = signatures.map(({ intact, permitted, holds, changes }) => {
      if (!intact || !permitted || !holds) faults.push(`${name}: a signature does not hold: ${changes}`);
      return changes;
    });
    if (signatures.length === 0) faults.push(`${name}: no signature is found`);
    console.log(`${name.padEnd(50)} ${said.join(', ')}`);
  }
  rmSync(folder, { recursive: true });
  console.log(`${stamped.length} signed files stamped; ${faults.length} faults`);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
