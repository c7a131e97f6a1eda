import { useSession } from '../data/session.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { ViewHead } from '../ui/states.tsx';
import { tools } from './tools.tsx';

/** Renders the list of tools. */
export function Tools() {
  const { service } = useSession();
  const fill = {
    slug: 'fill',
    name: 'Fill a form',
    text: 'List the fields of a form, fill them in, and flatten it if you like.',
    icon: 'code' as IconName,
  };
  const offered = tools.filter(({ needsProtection }) => !needsProtection || service.may_protect);
  const listed = service.plugins.includes('forms') ? [...offered, fill] : offered;
  return (
    <div class="page">
      <ViewHead
        title="PDF tools"
        text="For files that you already have. Each tool shows the call that does the same from a program."
      />
      <ul class="tools">
        {listed.map(({ slug, name, text, icon }) => (
          <li key={slug}>
            <a class="tool-card panel" href={`/studio/tools/${slug}`}>
              <Icon name={icon} size={20} />
              <strong>{name}</strong>
              <span class="soft">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
