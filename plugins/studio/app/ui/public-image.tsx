import { Icon } from './icon.tsx';
import { TemplateImage } from './template-card.tsx';

/** Renders the first page of a published template, or the format of a file, which only its owner can print. */
export function PublicImage({
  template,
}: {
  template: { id: string; format?: string; version: number; updated_at: string };
}) {
  if (template.format)
    return (
      <span class="sheet-frame">
        <span class="sheet blank">
          <Icon name="template" size={20} />
          <small>{template.format}</small>
        </span>
      </span>
    );
  return <TemplateImage template={{ ...template, partial: false }} from="/v1/marketplace" />;
}
