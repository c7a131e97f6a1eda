import type { ComponentChildren } from 'preact';
import { Check, Field, Select } from '../ui/controls.tsx';
import type { IconName } from '../ui/icon.tsx';
import type { UploadedFile } from './uploads.ts';

/** The values of a tool's form. */
export type Values = Record<string, string | boolean>;

/** The request of an operation: its path, and the fields besides the files. */
export interface OperationRequest {
  path: string;
  body: Record<string, unknown>;
}

/** A tool: an operation on PDFs with a form. */
export interface Tool {
  slug: string;
  name: string;
  text: string;
  icon: IconName;
  action: string;
  /** Takes several files, in order. */
  isMany?: boolean;
  initial: Values;
  /** Is offered only when the operator has switched it on. */
  needsProtection?: boolean;
  /** Makes files whose pages cannot be drawn. */
  hidesPages?: boolean;
  /** Returns the request, or the reason why it is not complete. */
  request: (values: Values, files: UploadedFile[]) => OperationRequest | string;
  form?: (values: Values, set: (change: Values) => void) => ComponentChildren;
}

const textOf = (values: Values, name: string) => {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Reads ranges such as `1-3, 5`. Returns undefined when the text has another form. */
export function readRanges(text: string): number[][] | undefined {
  const ranges = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/.exec(part));
  if (ranges.some((range) => range === null)) return undefined;
  return ranges.map((range) => [Number(range?.[1]), ...(range?.[2] ? [Number(range[2])] : [])]);
}

/** The tools in the order in which they are listed. */
export const tools: Tool[] = [
  {
    slug: 'merge',
    name: 'Merge',
    text: 'Join files into one, in the order that you choose.',
    icon: 'batch',
    action: 'Merge',
    isMany: true,
    initial: {},
    request: (_, files) =>
      files.length < 2
        ? 'Add at least two files.'
        : { path: '/v1/pdf/merge', body: { pdfs: files.map(({ id }) => id) } },
  },
  {
    slug: 'split',
    name: 'Split',
    text: 'Make a file of each page, or of the pages that you name.',
    icon: 'copy',
    action: 'Split',
    initial: { ranges: '' },
    request: (values, [file]) => {
      const ranges = readRanges(textOf(values, 'ranges'));
      if (!ranges) return 'Write pages such as 1-3, 5.';
      return { path: '/v1/pdf/split', body: { pdf: file?.id, ...(ranges.length > 0 && { ranges }) } };
    },
    form: (values, set) => (
      <Field
        label="Pages of each file"
        hint="Such as 1-3, 4, 5-9. Leave it empty for one file per page."
        value={textOf(values, 'ranges')}
        onValue={(ranges) => set({ ranges })}
      />
    ),
  },
  {
    slug: 'arrange',
    name: 'Rotate and reorder',
    text: 'Turn pages, leave some out, or put them in another order.',
    icon: 'restore',
    action: 'Arrange the pages',
    initial: { pages: '1-', angle: '90' },
    request: (values, [file]) => {
      const parts = textOf(values, 'pages')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean);
      if (parts.length === 0) return 'Write pages such as 1-3, 5.';
      const turn = values['angle'] === '0' ? '' : `r${textOf(values, 'angle')}`;
      const pages = parts.map((part) => (part.includes('r') ? part : part + turn)).join(', ');
      return { path: '/v1/pdf/pages', body: { pdf: file?.id, pages } };
    },
    form: (values, set) => (
      <>
        <Field
          label="Pages, in their new order"
          hint="1- is every page. 10-8 counts backwards, and 5r90 turns only page 5."
          value={textOf(values, 'pages')}
          onValue={(pages) => set({ pages })}
        />
        <Select
          label="Turn"
          value={textOf(values, 'angle')}
          choices={[
            ['0', 'Not at all'],
            ['90', 'To the right'],
            ['180', 'Upside down'],
            ['270', 'To the left'],
          ]}
          onValue={(angle) => set({ angle })}
        />
      </>
    ),
  },
  {
    slug: 'compress',
    name: 'Compress',
    text: 'Make a file smaller by drawing its images at a lower resolution.',
    icon: 'fit',
    action: 'Compress',
    initial: { dpi: '150' },
    request: (values, [file]) => ({
      path: '/v1/pdf/compress',
      body: { pdf: file?.id, image_dpi: Number(values['dpi']) },
    }),
    form: (values, set) => (
      <Select
        label="Images"
        value={textOf(values, 'dpi')}
        choices={[
          ['96', 'For the screen (96 dpi)'],
          ['150', 'For office printers (150 dpi)'],
          ['300', 'For print (300 dpi)'],
        ]}
        onValue={(dpi) => set({ dpi })}
      />
    ),
  },
  {
    slug: 'number',
    name: 'Number pages',
    text: 'Print a number on each page.',
    icon: 'template',
    action: 'Number the pages',
    initial: { format: '{{pageNumber}} / {{totalPages}}', position: 'bottom', start: '1' },
    request: (values, [file]) => ({
      path: '/v1/pdf/number',
      body: {
        pdf: file?.id,
        format: textOf(values, 'format'),
        position: values['position'],
        start: Number(textOf(values, 'start')) || 1,
      },
    }),
    form: (values, set) => (
      <>
        <Field label="Text" value={textOf(values, 'format')} onValue={(format) => set({ format })} />
        <div class="form-grid">
          <Select
            label="Position"
            value={textOf(values, 'position')}
            choices={[
              ['bottom', 'Bottom centre'],
              ['bottom-left', 'Bottom left'],
              ['bottom-right', 'Bottom right'],
              ['top', 'Top centre'],
              ['top-left', 'Top left'],
              ['top-right', 'Top right'],
            ]}
            onValue={(position) => set({ position })}
          />
          <Field
            label="First number"
            type="number"
            value={textOf(values, 'start')}
            onValue={(start) => set({ start })}
          />
        </div>
      </>
    ),
  },
  {
    slug: 'watermark',
    name: 'Watermark',
    text: 'Write a word across every page.',
    icon: 'spark',
    action: 'Add the watermark',
    initial: { text: 'DRAFT', layer: 'over', opacity: '0.15' },
    request: (values, [file]) =>
      textOf(values, 'text') === ''
        ? 'Write the text of the watermark.'
        : {
            path: '/v1/pdf/watermark',
            body: {
              pdf: file?.id,
              text: textOf(values, 'text'),
              layer: values['layer'],
              opacity: Number(values['opacity']),
            },
          },
    form: (values, set) => (
      <>
        <Field label="Text" value={textOf(values, 'text')} onValue={(text) => set({ text })} />
        <div class="form-grid">
          <Select
            label="Layer"
            value={textOf(values, 'layer')}
            choices={[
              ['over', 'Above the content'],
              ['under', 'Below the content'],
            ]}
            onValue={(layer) => set({ layer })}
          />
          <Select
            label="Strength"
            value={textOf(values, 'opacity')}
            choices={[
              ['0.1', 'Light'],
              ['0.15', 'Medium'],
              ['0.35', 'Strong'],
            ]}
            onValue={(opacity) => set({ opacity })}
          />
        </div>
      </>
    ),
  },
  {
    slug: 'sign',
    name: 'Sign',
    text: 'Add a visible signature with a name and a reason. It is not a cryptographic signature.',
    icon: 'check',
    action: 'Add the signature',
    initial: { name: '', reason: '', location: '', page: '1' },
    request: (values, [file]) =>
      textOf(values, 'name') === ''
        ? 'Enter the name of the signer.'
        : {
            path: '/v1/pdf/sign',
            body: {
              pdf: file?.id,
              name: textOf(values, 'name'),
              ...(textOf(values, 'reason') && { reason: textOf(values, 'reason') }),
              ...(textOf(values, 'location') && { location: textOf(values, 'location') }),
              page: Math.max(0, (Number(textOf(values, 'page')) || 1) - 1),
            },
          },
    form: (values, set) => (
      <>
        <Field label="Name" value={textOf(values, 'name')} onValue={(name) => set({ name })} />
        <Field
          label="Reason (optional)"
          value={textOf(values, 'reason')}
          onValue={(reason) => set({ reason })}
        />
        <div class="form-grid">
          <Field
            label="Place (optional)"
            value={textOf(values, 'location')}
            onValue={(location) => set({ location })}
          />
          <Field
            label="Page"
            type="number"
            value={textOf(values, 'page')}
            onValue={(page) => set({ page })}
          />
        </div>
      </>
    ),
  },
  {
    slug: 'pdfa',
    name: 'Convert to PDF/A',
    text: 'Make an archive copy (PDF/A-1b) that looks the same in decades.',
    icon: 'assets',
    action: 'Convert',
    initial: { title: '', allow: false },
    request: (values, [file]) => ({
      path: '/v1/pdf/pdfa',
      body: {
        pdf: file?.id,
        ...(textOf(values, 'title') && { title: textOf(values, 'title') }),
        ...(values['allow'] === true && { allow_signature_loss: true }),
      },
    }),
    form: (values, set) => (
      <>
        <Field label="Title (optional)" value={textOf(values, 'title')} onValue={(title) => set({ title })} />
        <Check
          label="Convert a signed file"
          hint="Its signatures become invalid."
          checked={values['allow'] === true}
          onValue={(allow) => set({ allow })}
        />
      </>
    ),
  },
  {
    slug: 'flatten',
    name: 'Flatten',
    text: 'Turn form fields and comments into fixed content.',
    icon: 'tools',
    action: 'Flatten',
    initial: {},
    request: (_, [file]) => ({ path: '/v1/pdf/flatten', body: { pdf: file?.id } }),
  },
  {
    slug: 'protect',
    name: 'Protect',
    text: 'Encrypt a file with AES-256, so that it opens with a password or with fewer rights.',
    icon: 'shield',
    action: 'Protect',
    needsProtection: true,
    hidesPages: true,
    initial: { user: '', owner: '', printing: true, copying: false, modifying: false },
    request: (values, [file]) => {
      const { user, owner } = values;
      if (owner === '') return 'Enter the password of the owner.';
      if (user === owner) return 'With the same password, every reader would be the owner.';
      return {
        path: '/v1/pdf/protect',
        body: {
          pdf: file?.id,
          owner_password: owner,
          ...(user !== '' && { user_password: user }),
          permissions: {
            printing: values['printing'] === true,
            copying: values['copying'] === true,
            modifying: values['modifying'] === true,
          },
        },
      };
    },
    form: (values, set) => (
      <>
        <Field
          label="Password of the owner"
          hint="Opens the file without restrictions."
          type="password"
          autocomplete="new-password"
          maxLength={127}
          value={String(values['owner'])}
          onValue={(owner) => set({ owner })}
        />
        <Field
          label="Password of readers (optional)"
          hint="Opens the file with the rights below. Without it, the file opens without a password."
          type="password"
          autocomplete="new-password"
          maxLength={127}
          value={String(values['user'])}
          onValue={(user) => set({ user })}
        />
        <fieldset class="rights">
          <legend class="label">Readers may</legend>
          {(
            [
              ['printing', 'Print'],
              ['copying', 'Copy text and images'],
              ['modifying', 'Change pages, and fill in forms'],
            ] as const
          ).map(([name, label]) => (
            <Check
              key={name}
              label={label}
              checked={values[name] === true}
              onValue={(isAllowed) => set({ [name]: isAllowed })}
            />
          ))}
        </fieldset>
      </>
    ),
  },
];
