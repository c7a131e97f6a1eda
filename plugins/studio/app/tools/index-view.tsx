import { useSession } from '../data/session.ts';
import { Icon } from '../ui/icon.tsx';
import { ViewHead } from '../ui/states.tsx';
import { toolGroupsOf } from './tools.ts';

export function Tools() {
  const { service } = useSession();
  return (
    <div class="page">
      <ViewHead
        title="PDF tools"
        text="Work with PDFs that you already have. Each tool shows the API request that does the same."
      />
      {toolGroupsOf(service).map(({ label, tools }) => (
        <section key={label}>
          <header class="section-head">
            <h2>{label}</h2>
          </header>
          <ul class="tools">
            {tools.map(({ slug, name, text, icon }) => (
              <li key={slug}>
                <a class="tool-card panel" href={`/studio/tools/${slug}`}>
                  <Icon name={icon} size={20} />
                  <strong>{name}</strong>
                  <span class="soft">{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
