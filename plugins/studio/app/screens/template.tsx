import { useState } from 'preact/hooks';
import { get } from '../data/api.ts';
import { formatAgo, formatCountOf } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { Template } from '../data/types.ts';
import { isStoredDraft } from '../editor/draft-conflict.ts';
import { attempt } from '../ui/attempt.ts';
import { CodeBlock, CopyButton } from '../ui/code-block.tsx';
import { Button, LinkButton, Segments } from '../ui/controls.tsx';
import { Fact } from '../ui/fact.tsx';
import { lazily } from '../ui/lazily.tsx';
import { Loaded, ViewHead } from '../ui/states.tsx';
import type { ViewProps } from '../view-props.ts';

const Versions = lazily(async () => (await import('../editor/versions.tsx')).Versions);
const TemplateTests = lazily(
  async () => (await import('../template-tests/template-tests.tsx')).TemplateTests,
);

/**
 * Renders a template for members who may not change it: its HTML, its sample data, its tests
 * and its versions.
 */
export function TemplateView({ params: [id = ''] }: ViewProps) {
  const template = useResource(`template ${id}`, (signal) => get<Template>(`/v1/templates/${id}`, signal));
  return (
    <div class="page">
      <Loaded from={template}>
        {(found) => <Details template={found} onRead={(version) => template.set(version)} />}
      </Loaded>
    </div>
  );
}

function Details({ template, onRead }: { template: Template; onRead: (template: Template) => void }) {
  const [part, setPart] = useState<'html' | 'data' | 'tests'>(() => {
    if (new URLSearchParams(location.search).has('tests')) return 'tests';
    return template.format === 'html' ? 'html' : 'data';
  });
  const [isComparing, setComparing] = useState(false);
  const { service } = useSession();
  const { id, html_content: content, sample_data: data, options, schema } = template;
  const html = content ?? '';
  const variables = Object.keys(schema).length;
  return (
    <>
      <p class="crumb">
        <a href="/studio/templates">Templates</a>
      </p>
      <ViewHead
        title={template.name}
        text="You can read this template. To change it or to make documents from it, you need the role “editor”."
      >
        {template.format === 'html' ? (
          <Button icon="history" onClick={() => setComparing(true)}>
            Versions
          </Button>
        ) : (
          <LinkButton href={template.file_url ?? ''} icon="download">
            Download
          </LinkButton>
        )}
      </ViewHead>
      <div class="document">
        <div class="document-main template-source">
          <div>
            <Segments
              label="Part of the template"
              value={part}
              choices={[
                ...(template.format === 'html' ? ([['html', 'HTML']] as const) : []),
                ['data', 'Sample data'],
                ...(service.plugins.includes('template-tests') ? ([['tests', 'Tests']] as const) : []),
              ]}
              onValue={setPart}
            />
          </div>
          {part === 'html' ? (
            <CodeBlock label="HTML of the template" code={html} />
          ) : part === 'tests' ? (
            <TemplateTests
              template={template}
              editor={{ html, data: data ?? {}, options: options ?? {} }}
              onTemplate={onRead}
            />
          ) : (
            <CodeBlock label="Sample data" code={JSON.stringify(data ?? {}, null, 2)} />
          )}
        </div>
        <aside class="panel facts" aria-label="Properties">
          <dl>
            <Fact label={isStoredDraft(template) ? 'Draft' : 'Version'}>{template.version}</Fact>
            <Fact label="Changed">{formatAgo(template.updated_at)}</Fact>
            {template.alias && <Fact label="Alias">{template.alias}</Fact>}
            {template.tags.length > 0 && <Fact label="Tags">{template.tags.join(', ')}</Fact>}
            <Fact label="Schema">{variables === 0 ? 'None' : formatCountOf(variables, 'variable')}</Fact>
            {template.is_public && <Fact label="Marketplace">Published</Fact>}
            <Fact label="Documents">
              <a href={`/studio/generations?template_id=${id}`}>Made from it</a>
            </Fact>
          </dl>
          <div class="fact-id">
            <code>{id}</code>
            <CopyButton text={id} label="Copy id" kind="quiet" />
          </div>
        </aside>
      </div>
      {isComparing && (
        <Versions
          id={id}
          draft={{ html, data: data ?? {}, options: options ?? {} }}
          onClose={() => setComparing(false)}
          onDraft={() =>
            void attempt(async () => onRead(await get<Template>(`/v1/templates/${id}?version=draft`)))
          }
          onRestored={onRead}
        />
      )}
    </>
  );
}
