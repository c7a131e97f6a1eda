import { useEffect, useState } from 'preact/hooks';
import { get, isAborted, post, reasonOf } from '../data/api.ts';
import { formatCountOf, formatDuration } from '../data/format.ts';
import { printPage } from '../data/print-page.ts';
import { forget } from '../data/resource.ts';
import { starterImage, useStarters } from '../data/starters.ts';
import type { Starter, StarterSummary } from '../data/types.ts';
import { navigate } from '../router.ts';
import { attempt } from '../ui/attempt.ts';
import { Button } from '../ui/controls.tsx';
import { Loaded, useTitle } from '../ui/states.tsx';

/** The slugs of the starters that a new account can choose from. */
const FIRST_STARTERS = ['invoice-modern', 'quote', 'report', 'certificate', 'letter', 'event-ticket'];

/**
 * Renders the first view of a new account: a choice of starters and the printed page of the chosen starter.
 */
export function Welcome() {
  useTitle('Your first document');
  const starters = useStarters();
  return (
    <div class="page">
      <Loaded from={starters}>
        {({ data }) => {
          const inHtml = data.filter(({ format }) => format === undefined);
          const chosen = FIRST_STARTERS.flatMap(
            (slug) => inHtml.find((starter) => starter.slug === slug) ?? [],
          );
          return <Choice starters={chosen.length > 0 ? chosen : inHtml.slice(0, 6)} />;
        }}
      </Loaded>
    </div>
  );
}

interface Print {
  url: string;
  pages: number;
  ms: number;
}

function Choice({ starters }: { starters: StarterSummary[] }) {
  const [slug, setSlug] = useState(starters[0]?.slug ?? '');
  const [print, setPrint] = useState<Print>();
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const starter = starters.find((entry) => entry.slug === slug);

  useEffect(() => {
    if (!slug) return;
    const controller = new AbortController();
    setPrint(undefined);
    setError('');
    printStarter(slug, controller.signal).then(setPrint, (thrown: unknown) => {
      if (!isAborted(thrown)) setError(reasonOf(thrown));
    });
    return () => controller.abort();
  }, [slug]);
  useEffect(() => () => URL.revokeObjectURL(print?.url ?? ''), [print]);

  const start = async () => {
    setBusy(true);
    await attempt(async () => {
      const { id } = await post<{ id: string }>(`/v1/starter-templates/${slug}/clone`);
      forget('templates');
      navigate(`/studio/templates/${id}`);
    });
    setBusy(false);
  };
  const image = print?.url ?? starterImage(slug);
  return (
    <div class="welcome">
      <div class="welcome-text">
        <h1>Your first document</h1>
        <p class="lead">
          Choose a starter. It opens in the editor with sample data, and this server prints the page next to
          it as you type.
        </p>
        <fieldset class="options">
          <legend class="visually-hidden">Starter</legend>
          {starters.map((entry) => (
            <label key={entry.slug} class="option">
              <input
                type="radio"
                name="starter"
                value={entry.slug}
                checked={entry.slug === slug}
                onChange={() => setSlug(entry.slug)}
              />
              <span class="option-text">
                <strong>{entry.name}</strong>
                <small>{entry.description}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="row">
          <Button kind="primary" size="large" isBusy={isBusy} onClick={() => void start()}>
            Use this template
          </Button>
          <a class="button quiet large" href="/studio/templates?starters">
            See all starters
          </a>
        </div>
      </div>
      <figure class="welcome-page">
        {image ? (
          <img
            class={print ? 'sheet' : 'sheet is-old'}
            src={image}
            alt={`First page of ${starter?.name ?? slug}`}
          />
        ) : (
          <span class="sheet skeleton" />
        )}
        <figcaption aria-live="polite">
          {error
            ? `The preview failed: ${error}`
            : print
              ? `${formatCountOf(print.pages, 'page')}, printed in ${formatDuration(print.ms)}`
              : 'Printing…'}
        </figcaption>
      </figure>
    </div>
  );
}

async function printStarter(slug: string, signal: AbortSignal): Promise<Print> {
  const { html_content, sample_data, options, translations, default_locale } = await get<Starter>(
    `/v1/starter-templates/${slug}`,
    signal,
  );
  // A new account chooses from starters in HTML.
  if (html_content === null) throw new Error('the starter is a file');
  const started = performance.now();
  const source = { html_content, translations, default_locale };
  const { blob, pages } = await printPage({ ...source, data: sample_data, options, page: 1 }, signal);
  return { url: URL.createObjectURL(blob), pages, ms: performance.now() - started };
}
