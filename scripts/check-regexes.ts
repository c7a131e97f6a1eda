// Proves that every regular expression of the product takes linear time, so that no caller's text can block
// the service. Part of `npm run check`.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ProofCache } from './regexes/proof-cache.ts';
import { REGEX_EXCEPTIONS, type RegexException } from './regexes/exceptions.ts';
import { findPatterns, type FoundPattern } from './regexes/find-patterns.ts';
import { proveLinear, type Proof } from './regexes/prove-linear.ts';

/** Folders whose code may process callers' text. */
const FOLDERS = ['src', 'plugins', 'packages', 'starters'];

export interface RegexReport {
  patterns: number;
  /** One sentence for each unproven expression and each unneeded exception. */
  faults: string[];
}

/**
 * Checks the regular expressions of all source files in the product's folders. Tests are excluded, because
 * they do not process callers' text.
 */
export async function checkRegexes(
  root: string,
  exceptions: readonly RegexException[],
  cache?: ProofCache,
): Promise<RegexReport> {
  const found = sourceFiles(root).flatMap((file) => findPatterns(root, file));
  const proofs = await proveAll(found, cache);
  const needed = new Set<RegexException>();
  const faults: string[] = [];
  for (const pattern of found) {
    const proof = proofOf(pattern, proofs);
    if (proof.time !== 'unproven') continue;
    const exception = exceptions.find(
      ({ file, pattern: text }) => file === pattern.file && text === pattern.text,
    );
    if (exception) needed.add(exception);
    else faults.push(`${pattern.file}:${pattern.line}: ${pattern.text}: ${proof.reason}`);
  }
  for (const exception of exceptions)
    if (!needed.has(exception))
      faults.push(`${exception.file}: the exception for ${exception.pattern} is not needed`);
  return { patterns: found.length, faults };
}

function proofOf({ pattern, text }: FoundPattern, proofs: ReadonlyMap<string, Proof>): Proof {
  const notConstant = 'it is not built from constants alone, so nothing can be proven';
  return (pattern && proofs.get(text)) ?? { time: 'unproven', reason: notConstant };
}

/** Proves each pattern once. */
async function proveAll(
  found: readonly FoundPattern[],
  cache: ProofCache | undefined,
): Promise<Map<string, Proof>> {
  const proofs = new Map<string, Proof>();
  for (const { text, pattern } of found) {
    if (!pattern || proofs.has(text)) continue;
    const proof = cache?.get(text) ?? (await proveLinear(pattern));
    proofs.set(text, proof);
    cache?.set(text, proof);
  }
  return proofs;
}

function sourceFiles(root: string): string[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !/\.test\.|node_modules|studio\/dist/.test(name))
      .map((name) => join(folder, name)),
  );
}

if (import.meta.main) {
  const startedAt = performance.now();
  const root = dirname(import.meta.dir);
  const cache = ProofCache.open(root);
  const { patterns, faults } = await checkRegexes(root, REGEX_EXCEPTIONS, cache);
  cache.save();
  for (const fault of faults) console.error(fault);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const excepted = `${REGEX_EXCEPTIONS.length} excepted in scripts/regexes/exceptions.ts`;
  console.log(`${patterns} regular expressions, ${excepted}, ${faults.length} faults (${seconds} s)`);
  // The checker's process is still running.
  process.exit(faults.length === 0 ? 0 : 1);
}
