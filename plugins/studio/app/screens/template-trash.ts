import { post, reasonOf } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { toast } from '../ui/toast.tsx';

/** How long "Undo" is offered. The trash restores the template for 30 days. */
const UNDO_MS = 10_000;

/** Moves a template to the trash and offers to undo that. */
export async function discardTemplate(id: string): Promise<void> {
  await post(`/studio/api/trash/templates/${id}`);
  forgetTemplates();
  const undo = async () => {
    await restoreTemplate(id);
    navigate(`/studio/templates/${id}`);
  };
  const showFailure = (error: unknown) => toast(reasonOf(error), { kind: 'error' });
  toast('The template is in the trash.', {
    action: { label: 'Undo', run: () => void undo().catch(showFailure) },
    lastsMs: UNDO_MS,
  });
}

export async function restoreTemplate(id: string): Promise<void> {
  await post(`/studio/api/trash/templates/${id}/restore`);
  forgetTemplates();
}

function forgetTemplates(): void {
  for (const prefix of ['template', 'marketplace']) forget(prefix);
}
