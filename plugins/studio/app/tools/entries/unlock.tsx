import { Field } from '../../ui/controls.tsx';
import type { Tool } from '../operation.ts';

/** Removes the passwords of a file. */
export const unlock: Tool = {
  slug: 'unlock',
  name: 'Remove the password',
  text: 'Make a copy that opens without a password and has no restrictions.',
  icon: 'key',
  group: 'Protection',
  order: 2,
  action: 'Remove the password',
  suffix: 'unlocked',
  initial: { password: '' },
  request: ({ password }, [file]) => ({ path: '/v1/pdf/unlock', body: { pdf: file?.id, password } }),
  form: (values, set) => (
    <Field
      label="Password of the file"
      hint="Leave the field empty if the file opens without a password."
      type="password"
      autocomplete="off"
      value={String(values['password'])}
      onValue={(password) => set({ password })}
    />
  ),
};
