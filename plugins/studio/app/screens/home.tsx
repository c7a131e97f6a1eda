import { get } from '../data/api.ts';
import { formatAgo, formatCount, formatDay, formatPeriod } from '../data/format.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { useResource } from '../data/resource.ts';
import { useMay, useSession } from '../data/session.ts';
import type { Generation, List, TemplateSummary } from '../data/types.ts';
import { LinkButton } from '../ui/controls.tsx';
import { Card, TemplateImage } from '../ui/template-card.tsx';
import { Loaded, ViewHead } from '../ui/states.tsx';
import { DocumentTable } from '../ui/document-table.tsx';
import { useTemplateNames } from '../data/template-names.ts';
import { Welcome } from './welcome.tsx';

/**
 * Renders the overview: a choice of starters for a new account, otherwise usage and recent templates and
 * documents.
 */
export function Home() {
  const templates = useResource('templates recent', (signal) =>
    get<List<TemplateSummary>>('/v1/templates?limit=4', signal),
  );
  const mayEdit = useMay()('editor');
  return (
    <Loaded from={templates} skeleton={<div class="page" />}>
      {({ data }) => (data.length === 0 && mayEdit ? <Welcome /> : <Overview templates={data} />)}
    </Loaded>
  );
}

function Overview({ templates }: { templates: TemplateSummary[] }) {
  const { usage } = useSession();
  const mayEdit = useMay()('editor');
  const names = useTemplateNames();
  const generations = useResource('generations recent', (signal) =>
    get<List<Generation>>('/v1/generations?limit=6', signal),
  );
  useRefresh(generations, ({ data }) => data.some(isInProgress));
  return (
    <div class="page">
      <ViewHead title="Overview">
        {mayEdit && (
          <LinkButton href="/studio/templates/new" kind="primary" icon="plus">
            New template
          </LinkButton>
        )}
      </ViewHead>
      <section class="figures" aria-label="This month">
        <div class="figure">
          <span>PDFs this month</span>
          <strong>{formatCount(usage.used)}</strong>
          <small>since {formatDay(usage.period.start)}</small>
        </div>
        <div class="figure">
          <span>Remaining</span>
          <strong>{usage.remaining === null ? 'Unlimited' : formatCount(usage.remaining)}</strong>
          <small>
            {usage.limit === null ? 'no monthly limit' : `of ${formatCount(usage.limit)} on this plan`}
          </small>
        </div>
        <div class="figure">
          <span>Rate limit</span>
          <strong>{formatCount(usage.rate_limit.limit)}</strong>
          <small>requests per {formatPeriod(usage.rate_limit.window_seconds)}</small>
        </div>
      </section>
      <section>
        <header class="section-head">
          <h2>Recent templates</h2>
          <a href="/studio/templates">All templates</a>
        </header>
        {templates.length === 0 && <p class="note">The account has no templates yet.</p>}
        <ul class="cards">
          {templates.map((template) => (
            <li key={template.id}>
              <Card
                href={`/studio/templates/${template.id}`}
                title={template.name}
                text={`Version ${template.version}, ${formatAgo(template.updated_at)}`}
                image={<TemplateImage template={template} />}
              />
            </li>
          ))}
        </ul>
      </section>
      <section>
        <header class="section-head">
          <h2>Latest documents</h2>
          <a href="/studio/generations">All documents</a>
        </header>
        <Loaded from={generations}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="note">Documents that are printed in the editor or through the API appear here.</p>
            ) : (
              <DocumentTable documents={data} templates={names} />
            )
          }
        </Loaded>
      </section>
    </div>
  );
}
