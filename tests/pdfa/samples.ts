import { activeDocuments, plainDocuments, type TestDocument } from '../documents/index.ts';
import { listCorpus, readCorpus } from '../corpus/corpus.ts';
import type { TestService } from '../support/service/service.ts';
import { readStarters, requestFor } from '../support/starters/starters.ts';

/** A PDF to convert. */
export interface Sample {
  /** Unique among all samples. */
  name: string;
  /** A starter or a document of the rendering tests, printed by Chromium, or a file of the corpus. */
  origin: 'starter' | 'document' | 'corpus';
  /** Whether poppler and qpdf can open the file, so that it must convert. */
  readable: boolean;
  read(): Promise<Uint8Array>;
}

/** Lists the starters with their sample data, printed by a service. */
export function starterSamples(service: () => TestService): Sample[] {
  return readStarters().map((starter) => ({
    name: `starter-${starter.slug}`,
    origin: 'starter',
    readable: true,
    read: () => service().pdf(requestFor(starter, starter.sample_data)),
  }));
}

/** Lists the documents of the rendering tests, printed by a service. */
export function documentSamples(service: () => TestService): Sample[] {
  return [...plainDocuments, ...activeDocuments].map(({ name, html }: TestDocument) => ({
    name: `document-${name}`,
    origin: 'document',
    readable: true,
    read: () => service().pdf({ html, output: 'base64' }),
  }));
}

/** Lists the files of the corpus. */
export function corpusSamples(): Sample[] {
  return listCorpus().map(({ name, popplerPages, qpdfPages }) => ({
    name,
    origin: 'corpus',
    readable: popplerPages !== undefined && qpdfPages !== undefined,
    read: () => Promise.resolve(readCorpus(name)),
  }));
}
