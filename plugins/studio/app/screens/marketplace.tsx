import { useState } from 'preact/hooks';
import { ApiError, get } from '../data/api.ts';
import { CATEGORIES, type TemplateFormat } from '../data/api-types.ts';
import { formatAgo } from '../data/format.ts';
import { useList } from '../data/list.ts';
import { useResource } from '../data/resource.ts';
import { printFirstPage } from '../data/template-images.ts';
import type { Template } from '../data/types.ts';
import { navigate, setQuery, useLocation } from '../router.ts';
import { Button, LinkButton, Search } from '../ui/controls.tsx';
import { CategoryChips } from '../ui/category-chips.tsx';
import { Card } from '../ui/template-card.tsx';
import { ShowMore } from '../ui/paging.tsx';
import { PublicImage } from '../ui/public-image.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import { CopyDialog } from './copy-dialog.tsx';

/** A template that an account of this server has published. */
interface PublicTemplate {
  id: string;
  name: string;
  /** Absent for HTML. */
  format?: TemplateFormat;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Renders the templates that accounts of this server have published. */
export function Marketplace() {
  const { searchParams } = useLocation();
  const search = searchParams.get('search') ?? '';
  const category = searchParams.get('category') ?? '';
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(category && { category }),
  });
  const templates = useList<PublicTemplate>('marketplace', `/v1/marketplace?${query}`);
  const [open, setOpen] = useState<PublicTemplate>();
  return (
    <div class="page">
      <ViewHead
        title="Marketplace"
        text="Accounts of this server have published these templates. Copy a template to change and use it."
      />
      <div class="toolbar">
        <Search
          label="Search the marketplace"
          value={search}
          onValue={(value) => setQuery('search', value)}
        />
        <CategoryChips names={CATEGORIES} value={category} />
      </div>
      <Loaded from={templates}>
        {({ data }) =>
          data.length > 0 ? (
            <ul class="cards">
              {data.map((template) => (
                <li key={template.id}>
                  <Card
                    title={template.name}
                    text={`Updated ${formatAgo(template.updated_at)}${template.format ? `, ${template.format}` : ''}`}
                    image={<PublicImage template={template} />}
                    onClick={() => setOpen(template)}
                  />
                </li>
              ))}
            </ul>
          ) : search || category ? (
            <Empty icon="search" title="Nothing found" text="Try another word or another category.">
              <Button onClick={() => navigate('/studio/marketplace')}>Show all</Button>
            </Empty>
          ) : (
            <Empty
              icon="market"
              title="Nothing published yet"
              text="Publish one of your templates from its editor."
            >
              <LinkButton href="/studio/templates" kind="primary">
                Your templates
              </LinkButton>
            </Empty>
          )
        }
      </Loaded>
      <ShowMore list={templates} />
      {open && <TemplateDialog template={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function TemplateDialog({ template, onClose }: { template: PublicTemplate; onClose: () => void }) {
  // Only the owner can read a template outside the marketplace.
  const isOwn = useResource(`marketplace owner ${template.id}`, (signal) =>
    get<Template>(`/v1/templates/${template.id}`, signal).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return false;
        throw error;
      },
    ),
  ).data;
  return (
    <CopyDialog
      title={template.name}
      text={textOf(template, isOwn ?? false)}
      action="Copy to my templates"
      path={`/v1/marketplace/${template.id}/clone`}
      onClose={onClose}
    >
      {!template.format && <FirstPage template={template} />}
    </CopyDialog>
  );
}

function textOf({ format }: PublicTemplate, isOwn: boolean): string {
  if (format)
    return isOwn
      ? `A ${format} file. You published this template.`
      : `A ${format} file. Copy the template to see its pages, with its sample data or your own.`;
  return isOwn
    ? 'Printed with its sample data. You published this template.'
    : 'Printed with its sample data. Read the template of another account before you use it with real data: its scripts and images can send that data away.';
}

function FirstPage({ template }: { template: PublicTemplate }) {
  const page = useResource(`marketplace image ${template.id} ${template.version}`, async (signal) => {
    return URL.createObjectURL(await printFirstPage(`/v1/marketplace/${template.id}`, signal));
  });
  return (
    <Loaded from={page} skeleton={<span class="sheet skeleton" />}>
      {(url) => <img class="sheet" src={url} alt={`First page of ${template.name}`} />}
    </Loaded>
  );
}
