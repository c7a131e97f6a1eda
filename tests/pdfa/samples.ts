import { activeDocuments, plainDocuments, type TestDocument } from '../documents/index.ts';
import { listCorpus, readCorpus } from '../corpus/corpus.ts';
import type { TestService } from '../support/service.ts';
import { readStarters, requestFor } from '../support/starters.ts';

/** A PDF that is converted. */
export interface Sample {
  /** Unique over all samples. */
  name: string;
  /** What Chromium printed, from a starter or a document of the rendering tests, or a file of the corpus. */
  origin: 'starter' | 'document' | 'corpus';
  /** At least two readers of PDF open it, so it has to convert. */
  sound: boolean;
  read(): Promise<Uint8Array>;
}

/** Lists the starters with their sample data, printed by a service. */
export function starterSamples(service: () => TestService): Sample[] {
  return readStarters().map((starter) => ({
    name: `starter-${starter.slug}`,
    origin: 'starter',
    sound: true,
    read: () => service().pdf(requestFor(starter, starter.sample_data)),
  }));
}

/** Documents of the rendering tests: what they show is not to be had from the starters alone. */
const DOCUMENTS = [
  'alpha-images',
  'see-through',
  'effects',
  'emoji',
  'cjk',
  'rtl-arabic',
  'rtl-hebrew',
  'web-font',
  'svg-inline',
  'images-data',
  'form-controls',
  'links',
  'headings-outline',
];

/** Lists documents of the rendering tests, printed by a service: those of the issue, or all. */
export function documentSamples(service: () => TestService, which: 'named' | 'all'): Sample[] {
  const all = [...plainDocuments, ...activeDocuments];
  const chosen = which === 'all' ? all : all.filter(({ name }) => DOCUMENTS.includes(name));
  return chosen.map(({ name, html }: TestDocument) => ({
    name: `document-${name}`,
    origin: 'document',
    sound: true,
    read: () => service().pdf({ html, output: 'base64' }),
  }));
}

/** Lists the files of the corpus. */
export function corpusSamples(): Sample[] {
  return listCorpus().map(({ name, popplerPages, qpdfPages }) => ({
    name,
    origin: 'corpus',
    sound: popplerPages !== undefined && qpdfPages !== undefined,
    read: () => Promise.resolve(readCorpus(name)),
  }));
}
