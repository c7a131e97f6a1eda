import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A rule that a page violates, with the elements that violate it. */
export interface Violation {
  rule: string;
  elements: string[];
}

/** Runs axe-core on a page and lists the violations of WCAG 2.2 AA. */
export async function findViolations(page: Page): Promise<Violation[]> {
  // The debugger may evaluate the script although the content security policy forbids it to the page.
  await page.evaluate(source);
  return page.evaluate(async (tags) => {
    const { axe } = window as unknown as {
      axe: {
        run: (options: object) => Promise<{
          violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
    return violations.map(({ id, nodes }) => ({
      rule: id,
      elements: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    }));
  }, TAGS);
}
