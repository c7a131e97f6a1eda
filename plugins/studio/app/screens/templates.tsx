import { useState } from 'preact/hooks';
import { CATEGORIES } from '../data/api-types.ts';
import { formatAgo } from '../data/format.ts';
import { useList } from '../data/list.ts';
import { useMay, useSession } from '../data/session.ts';
import { starterImage, useStarters } from '../data/starters.ts';
import { wordsOf } from '../data/words.ts';
import type { StarterSummary, TemplateSummary } from '../data/types.ts';
import { navigate, setQuery, useLocation } from '../router.ts';
import { Button, LinkButton, Search, Segments } from '../ui/controls.tsx';
import { CategoryChips, TagChips } from '../ui/category-chips.tsx';
import { Card, TemplateImage } from '../ui/template-card.tsx';
import { ShowMore } from '../ui/paging.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import {
  BrowserMark,
  BrowserNotice,
  CHANGED,
  useBrowserChanges,
} from '../template-tests/browser-changes.tsx';
import { AliasAndTags } from './alias-and-tags.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { DraftWithAi } from './draft-with-ai.tsx';
import { UploadTemplate } from './upload-template.tsx';

/** Renders the templates of the account, and the starters. */
export function Templates() {
  const { searchParams } = useLocation();
  const { service } = useSession();
  const [isDrafting, setDrafting] = useState(false);
  const mayEdit = useMay()('editor');
  const shelf = mayEdit && searchParams.has('starters') ? 'starters' : 'own';
  const search = searchParams.get('search') ?? '';
  const category = searchParams.get('category') ?? '';
  const tag = searchParams.get('tag') ?? '';
  const isChanged = searchParams.get('browser') === CHANGED;
  return (
    <div class="page">
      <ViewHead
        title="Templates"
        text="A template is HTML, or a docx, xlsx or pptx file, with Handlebars. Platen fills in your data and prints a PDF."
      >
        {mayEdit && (
          <>
            {service.ai && (
              <Button icon="spark" onClick={() => setDrafting(true)}>
                Draft with AI
              </Button>
            )}
            <LinkButton href="/studio/trash" icon="trash">
              Trash
            </LinkButton>
            <UploadTemplate />
            <LinkButton href="/studio/templates/new" kind="primary" icon="plus">
              New template
            </LinkButton>
          </>
        )}
      </ViewHead>
      <div class="toolbar">
        {mayEdit && (
          <Segments
            label="Shelf"
            value={shelf}
            choices={[
              ['own', 'Your templates'],
              ['starters', 'Starters'],
            ]}
            onValue={(value) =>
              navigate(value === 'own' ? '/studio/templates' : '/studio/templates?starters')
            }
          />
        )}
        <Search
          label={shelf === 'own' ? 'Search your templates' : 'Search starters'}
          value={search}
          onValue={(value) => setQuery('search', value)}
        />
      </div>
      {shelf === 'own' ? (
        <OwnTemplates filter={{ search, category, tag }} isChanged={isChanged} />
      ) : (
        <Starters search={search} category={category} />
      )}
      {isDrafting && <DraftWithAi onClose={() => setDrafting(false)} />}
    </div>
  );
}

function Categories({ names, value }: { names: string[]; value: string }) {
  const known = [...new Set(names)].toSorted();
  if (known.length < 2) return null;
  return (
    <div class="toolbar">
      <CategoryChips names={known} value={value} />
    </div>
  );
}

function CardSkeletons() {
  return (
    <div class="cards" role="status" aria-label="Loading">
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} class="sheet-frame">
          <span class="sheet skeleton" />
        </span>
      ))}
    </div>
  );
}

function OwnTemplates({
  filter,
  isChanged,
}: {
  filter: { search: string; category: string; tag: string };
  /** Shows only the templates whose pages a new version of the browser changes. */
  isChanged: boolean;
}) {
  const { category, tag } = filter;
  const changes = useBrowserChanges();
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given);
  const [named, setNamed] = useState<TemplateSummary>();
  const mayEdit = useMay()('editor');
  const templates = useList<TemplateSummary>('templates', `/v1/templates?${query}`, {
    isWhole: isChanged,
  });
  if (isChanged && !changes) return <CardSkeletons />;
  return (
    <Loaded from={templates} skeleton={<CardSkeletons />}>
      {({ data: found }) => {
        const data = isChanged ? found.filter(({ id }) => changes?.has(id)) : found;
        if (data.length === 0 && (given.length > 0 || isChanged))
          return (
            <Empty icon="search" title="No template found" text="Try another word, category or tag.">
              <Button onClick={() => navigate('/studio/templates')}>Show all</Button>
            </Empty>
          );
        if (data.length === 0 && !mayEdit)
          return <Empty icon="template" title="No templates yet" text="The account has no templates." />;
        if (data.length === 0)
          return (
            <Empty
              icon="template"
              title="No templates yet"
              text="Begin with a starter, which has a design and sample data, or with a small example."
            >
              <LinkButton href="/studio/templates?starters" kind="primary">
                Choose a starter
              </LinkButton>
              <LinkButton href="/studio/templates/new">Begin with a small example</LinkButton>
            </Empty>
          );
        return (
          <>
            <BrowserNotice changes={changes} isFiltered={isChanged} />
            <div class="toolbar">
              <CategoryChips names={CATEGORIES} value={category} />
            </div>
            <TagChips names={data.flatMap(({ tags }) => tags)} value={tag} />
            <ul class="cards">
              {data.map((template) => (
                <li key={template.id}>
                  <Card
                    href={`/studio/templates/${template.id}`}
                    title={template.name}
                    text={textOf(template)}
                    image={<TemplateImage template={template} />}
                  />
                  <div class="card-names">
                    <BrowserMark template={template} cases={changes?.get(template.id)} />
                    {template.alias && <code>{template.alias}</code>}
                    {template.tags.map((name) => (
                      <button
                        key={name}
                        type="button"
                        class="badge"
                        aria-label={`Show templates with the tag ${name}`}
                        onClick={() => setQuery('tag', name)}
                      >
                        {name}
                      </button>
                    ))}
                    {mayEdit && (
                      <Button
                        kind="quiet"
                        size="small"
                        icon="number"
                        aria-label={`Alias and tags of ${template.name}`}
                        onClick={() => setNamed(template)}
                      />
                    )}
                  </div>
                </li>
              ))}
            </ul>
            <ShowMore list={templates} />
            {named && (
              <AliasAndTags
                template={named}
                onSaved={() => templates.reload()}
                onClose={() => setNamed(undefined)}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function textOf({ format, version, draft_version, updated_at, is_public }: TemplateSummary): string {
  const states = [
    format !== 'html' && format,
    draft_version !== null && 'with a draft',
    is_public && 'public',
  ].filter(Boolean);
  return [`Version ${version}`, formatAgo(updated_at), ...states].join(', ');
}

function Starters({ search, category }: { search: string; category: string }) {
  const starters = useStarters();
  const [open, setOpen] = useState<StarterSummary>();
  const words = wordsOf(search);
  return (
    <Loaded from={starters} skeleton={<CardSkeletons />}>
      {({ data }) => {
        const shown = data.filter(
          (starter) =>
            (!category || starter.category === category) &&
            words.every((word) => `${starter.name} ${starter.description}`.toLowerCase().includes(word)),
        );
        return (
          <>
            <Categories names={data.map((starter) => starter.category)} value={category} />
            {shown.length === 0 ? (
              <Empty icon="search" title="No starter found" text="Try another word or another category." />
            ) : (
              <ul class="cards">
                {shown.map((starter) => (
                  <li key={starter.slug}>
                    <Card
                      title={starter.name}
                      text={starter.description}
                      image={<StarterImage slug={starter.slug} />}
                      onClick={() => setOpen(starter)}
                    />
                  </li>
                ))}
              </ul>
            )}
            {open && <StarterDialog starter={open} onClose={() => setOpen(undefined)} />}
          </>
        );
      }}
    </Loaded>
  );
}

function StarterImage({ slug }: { slug: string }) {
  const url = starterImage(slug);
  return (
    <span class="sheet-frame">
      {url ? <img class="sheet" src={url} alt="" loading="lazy" /> : <span class="sheet blank" />}
    </span>
  );
}

function StarterDialog({ starter, onClose }: { starter: StarterSummary; onClose: () => void }) {
  const url = starterImage(starter.slug);
  return (
    <CopyDialog
      title={starter.name}
      text={starter.description}
      action="Use this template"
      path={`/v1/starter-templates/${starter.slug}/clone`}
      onClose={onClose}
    >
      {url && <img class="sheet" src={url} alt={`First page of ${starter.name}`} />}
    </CopyDialog>
  );
}
