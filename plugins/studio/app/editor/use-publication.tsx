import { useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import type { Template } from '../data/types.ts';
import { attempt } from '../ui/attempt.ts';
import { lazily } from '../ui/lazily.tsx';
import { toast } from '../ui/toast.tsx';

const PublishDialog = lazily(async () => (await import('./publish-dialog.tsx')).PublishDialog);

/**
 * Publishes a template in the marketplace, and makes it private again. Returns the function behind the button
 * and the dialog that it opens.
 */
export function usePublication(from: {
  template: Template;
  hasChanges: boolean;
  onChanged: (change: Partial<Template>) => void;
}) {
  const { template, hasChanges, onChanged } = from;
  const [isAsking, setAsking] = useState(false);
  const change = (changed: Partial<Template>) => {
    onChanged(changed);
    for (const prefix of ['template', 'marketplace']) forget(prefix);
  };
  /** Copies that other accounts made remain. */
  const unpublish = () =>
    attempt(async () => {
      await post(`/v1/marketplace/${template.id}/unpublish`);
      change({ is_public: false });
      toast('The template is private again.');
    });
  const onPublished = (published: Partial<Template>) => {
    change(published);
    toast('The template is published in the marketplace.', {
      action: { label: 'Undo', run: () => void unpublish() },
      lastsMs: 10_000,
    });
  };
  return {
    /** Makes a public template private. Asks before a private one becomes public. */
    toggle: () => (template.is_public ? void unpublish() : setAsking(true)),
    dialog: isAsking && (
      <PublishDialog
        template={template}
        hasChanges={hasChanges}
        onPublished={onPublished}
        onClose={() => setAsking(false)}
      />
    ),
  };
}
