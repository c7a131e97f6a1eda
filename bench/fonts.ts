/**
 * Measures the cost of an uploaded font of 2 MB over HTTP: the time of a hundred invoices that use it, compared with the same invoices in an
 * installed font. Also measures an account that has the font but does not use it, and invoices with a script. The groups take turns, so that
 * a slow minute on a shared machine affects all. Prints the median ratios with their 95 % confidence intervals. Settings: `PAIRS` (20), `DOCUMENTS` (100),
 * `CONCURRENCY` (4), `FONT_BYTES` (2,000,000).
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { inflateFont, renameFont } from '../tests/support/fonts.ts';
import { TestService } from '../tests/support/service.ts';
import { readTreeCpuMs } from './process-tree.ts';
import { invoiceRequest } from './neighbours/invoice.ts';
import { medianWithin } from './render/median-within.ts';
import { median } from './statistics.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 20);
const DOCUMENTS = Number(process.env['DOCUMENTS'] ?? 100);
const CONCURRENCY = Number(process.env['CONCURRENCY'] ?? 4);
const INSTALLED = 'Liberation Sans';
const FAMILY = 'Brand Sans';
/** Makes a document active, so that the service empties its browser page before the next document. */
const SCRIPT = '<script></script>';
const FONT_BYTES = Number(process.env['FONT_BYTES'] ?? 2_000_000);

const located = Bun.spawnSync(['fc-match', '-f', '%{file}', INSTALLED]).stdout.toString();
const font = inflateFont(renameFont(readFileSync(located), FAMILY), FONT_BYTES);

await using service = await TestService.start();

async function newAccount(withFont: boolean): Promise<string> {
  const key = await service.newKey();
  if (!withFont) return key;
  const answer = await service.post('/v1/assets', { name: 'brand.ttf', data: font.toString('base64') }, key);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return key;
}

/** The total cost of the invoices of a group. The CPU time of the service and the browser depends less on the load of the machine. */
interface Cost {
  ms: number;
  cpuMs: number;
}

/** Prints all invoices with an account's key in a font family, and measures their total cost. */
async function printAll(key: string, family: string, script = ''): Promise<Cost> {
  // Only the regular weight, because Chromium would synthesise bold letters from a single font.
  const style = `font: 12px/1.4 "${family}" } h1, th { font-weight: 400 }`;
  const html = invoiceRequest.html.replace(/font: [^}]* \}/, style) + script;
  let remaining = DOCUMENTS;
  const since = performance.now();
  const cpuBefore = readTreeCpuMs(process.pid);
  const worker = async () => {
    while (remaining > 0) {
      remaining -= 1;
      const { status, body } = await service.post('/v1/generate', { ...invoiceRequest, html }, key);
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { ms: performance.now() - since, cpuMs: readTreeCpuMs(process.pid) - cpuBefore };
}

const [none, owner] = [await newAccount(false), await newAccount(true)];
const groups = {
  without: () => printAll(none, INSTALLED),
  used: () => printAll(owner, FAMILY),
  unused: () => printAll(owner, INSTALLED),
  scripted: () => printAll(none, INSTALLED, SCRIPT),
  scriptedUsed: () => printAll(owner, FAMILY, SCRIPT),
};
type Group = keyof typeof groups;

for (const print of Object.values(groups)) await print();
const rounds: Record<Group, Cost>[] = [];
const names = Object.keys(groups) as Group[];
for (let pair = 0; pair < PAIRS; pair += 1) {
  const unknown = { ms: 0, cpuMs: 0 };
  const round = Object.fromEntries(names.map((name) => [name, unknown])) as Record<Group, Cost>;
  for (const name of pair % 2 === 0 ? names : names.toReversed()) round[name] = await groups[name]();
  rounds.push(round);
}
const ratio = (name: Group, base: Group, of: keyof Cost) =>
  medianWithin(rounds.map((round) => round[name][of] / round[base][of]));
const times = rounds.map(({ without }) => without.ms);
console.log(
  `load ${loadavg()[0]?.toFixed(1)}; ${PAIRS} rounds of ${DOCUMENTS} invoices at a concurrency of ${CONCURRENCY}; font of ${font.length} bytes; ratios of time and CPU time with 95 % confidence intervals; goal: 1.10`,
);
console.log(`without a font      ${median(times).toFixed(0)} ms`);
const pairs = [
  ['font used', 'used', 'without'],
  ['font unused', 'unused', 'without'],
  ['font used, with a script', 'scriptedUsed', 'scripted'],
] as const;
for (const [label, name, base] of pairs)
  console.log(
    `${label.padEnd(24)} / without: time ${ratio(name, base, 'ms')}, CPU time ${ratio(name, base, 'cpuMs')}`,
  );
process.exit();
