import { post } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { toast } from '../ui/toast.tsx';

/** Removes a template from the marketplace. Copies that other accounts made remain. */
export async function unpublishTemplate(id: string): Promise<void> {
  await post(`/v1/marketplace/${id}/unpublish`);
  for (const prefix of ['template', 'marketplace']) forget(prefix);
  toast('The template is private again.');
}
