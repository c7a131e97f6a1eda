import { TemplateImage } from './template-card.tsx';

/** Renders the first page of a published template. */
export function PublicImage({ template }: { template: { id: string; version: number; updated_at: string } }) {
  return <TemplateImage template={{ ...template, partial: false }} from="/v1/marketplace" />;
}
