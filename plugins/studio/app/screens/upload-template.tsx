import { useRef, useState } from 'preact/hooks';
import { reasonOf, sendFile } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import type { Template } from '../data/types.ts';
import { navigate } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { toast } from '../ui/toast.tsx';

/** The endings of files that can be templates. */
export const OFFICE_FILES = '.docx,.xlsx,.pptx';

/** Renders the button that makes a template of a docx, xlsx or pptx file. */
export function UploadTemplate() {
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const upload = async (file: File) => {
    setBusy(true);
    try {
      const name = file.name.replace(/\.[^.]{1,5}$/, '') || file.name;
      const { id } = await sendFile<Template>('POST', '/v1/templates', { file, name });
      forget('templates');
      navigate(`/studio/templates/${id}`);
    } catch (error) {
      toast(reasonOf(error, { file: file.name }), { kind: 'error' });
    }
    setBusy(false);
  };
  return (
    <>
      <Button icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
        Upload a file
      </Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={OFFICE_FILES}
        aria-label="Template file"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void upload(file);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
