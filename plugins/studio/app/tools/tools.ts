import { compress, flatten, watermark } from './content-tools.tsx';
import type { ServiceInfo } from '../data/types.ts';
import type { Tool, ToolEntry } from './operation.ts';
import { arrange, merge, number, split } from './page-tools.tsx';
import { protect } from './protect-tool.tsx';
import { sign } from './sign-tool.tsx';
import { pdfa, validate } from './standard-tools.tsx';
import { verify } from './verify-tool.tsx';

/** The entry of the view that fills in a form. Unlike other tools, it shows the fields of the file. */
const fill: ToolEntry = {
  slug: 'fill',
  name: 'Fill a form',
  text: 'Fill in the fields of a form, and flatten it if you like.',
  icon: 'form',
  isOffered: ({ plugins }) => plugins.includes('forms'),
};

/** Tools under a heading. */
interface ToolGroup {
  label: string;
  tools: (Tool | ToolEntry)[];
}

/** The tools, in groups. */
const toolGroups: ToolGroup[] = [
  { label: 'Pages', tools: [merge, split, arrange, number] },
  { label: 'Content', tools: [fill, watermark, flatten, compress] },
  { label: 'Signatures', tools: [sign, verify] },
  { label: 'Protection', tools: [protect] },
  { label: 'Standards', tools: [pdfa, validate] },
];

/** Returns the tools that a service offers, in groups. */
export function toolGroupsOf(service: ServiceInfo): ToolGroup[] {
  return toolGroups
    .map(({ label, tools }) => ({
      label,
      tools: tools.filter(({ isOffered }) => isOffered?.(service) ?? true),
    }))
    .filter(({ tools }) => tools.length > 0);
}

/** Returns the tool with a slug, even if the service does not offer the tool. */
export function findTool(slug: string): Tool | ToolEntry | undefined {
  return toolGroups.flatMap(({ tools }) => tools).find((tool) => tool.slug === slug);
}
