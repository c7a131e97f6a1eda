import { compress, flatten, watermark } from './content-tools.tsx';
import type { ServiceInfo } from '../data/types.ts';
import type { Tool, ToolEntry } from './operation.ts';
import { attachments, outline, properties, stamp } from './detail-tools.tsx';
import { arrange, merge, number, split } from './page-tools.tsx';
import { addFields, invoice, pipeline, readInvoice, timestamp, unlock } from './program-tools.tsx';
import { protect } from './protect-tool.tsx';
import { compare, images, info, text } from './read-tools.tsx';
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
  routes: ['/v1/pdf/forms/fill', '/v1/pdf/forms/list-fields'],
};

/** Tools under a heading. */
interface ToolGroup {
  label: string;
  tools: (Tool | ToolEntry)[];
}

/** The tools, in groups. */
const toolGroups: ToolGroup[] = [
  { label: 'Pages', tools: [merge, split, arrange, number, images, compare] },
  { label: 'Content', tools: [watermark, stamp, text, flatten, compress] },
  { label: 'Forms', tools: [fill, addFields] },
  { label: 'Signatures', tools: [sign, verify, timestamp] },
  { label: 'Protection', tools: [protect, unlock] },
  { label: 'Properties', tools: [info, properties, outline, attachments] },
  { label: 'Electronic invoices', tools: [invoice, readInvoice] },
  { label: 'Standards', tools: [pdfa, validate] },
  { label: 'Automation', tools: [pipeline] },
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

/** Returns all tools, including those that a service does not offer. */
export function allTools(): (Tool | ToolEntry)[] {
  return toolGroups.flatMap(({ tools }) => tools);
}

/** Returns the tool with a slug, even if the service does not offer the tool. */
export function findTool(slug: string): Tool | ToolEntry | undefined {
  return allTools().find((tool) => tool.slug === slug);
}
