import { documentNamed } from '../../tests/documents/index.ts';
import type { Deployment } from '../neighbours/deployment.ts';
import { readTreeCpuMs } from '../process-tree.ts';
import { loadedPage } from '../render/browser.ts';
import { join, measure, type Cell } from '../render/measure.ts';
import { BulkAccount, numbers } from './bulk-account.ts';

const DOCUMENTS = [
  ['simple invoice', 'invoice-simple'],
  ['designed invoice', 'invoice'],
] as const;
const CEILING_SECONDS = 3;
const CEILING_CONCURRENCY = 2;

/** Times per document in milliseconds: of a bulk batch, and of Chromium that prints a loaded page. */
export interface Rate {
  document: string;
  bulk: { ms: number; cpuMs: number };
  ceiling: { ms: number; cpuMs: number };
}

/**
 * Measures a bulk batch of each document over HTTP, from its request to its end, and before and after it the
 * ceiling of `bench/render`.
 */
export async function measureRates(
  deployment: Deployment,
  { items, executablePath }: { items: number; executablePath: string },
): Promise<Rate[]> {
  const account = await BulkAccount.create(deployment);
  const ceiling = await loadedPage({ executablePath, documents: DOCUMENTS.map(([name]) => name) });
  const rates: Rate[] = [];
  try {
    for (const [name, file] of DOCUMENTS) {
      const html = documentNamed(file);
      const template = await account.store(html.replace('</h1>', ' {{number}}</h1>'));
      const print = async (before?: Cell): Promise<Cell> => {
        const document = { name, html };
        const settings = { document, concurrency: CEILING_CONCURRENCY, seconds: CEILING_SECONDS };
        return join(before, await measure({ contestant: ceiling, ...settings }));
      };
      await account.ended(await account.send(template, numbers(20)));
      const before = await print();
      const cpuBefore = readTreeCpuMs(deployment.pid);
      const startedAt = performance.now();
      await account.ended(await account.send(template, numbers(items)));
      const bulk = {
        ms: (performance.now() - startedAt) / items,
        cpuMs: (readTreeCpuMs(deployment.pid) - cpuBefore) / items,
      };
      const { seconds, tookMs, cpuMs } = await print(before);
      const prints = tookMs.length;
      rates.push({
        document: name,
        bulk,
        ceiling: { ms: (seconds * 1000) / prints, cpuMs: cpuMs / prints },
      });
    }
  } finally {
    await ceiling.stop();
  }
  return rates;
}
