import { Check, Field } from '../../ui/controls.tsx';
import type { Tool } from '../operation.ts';

/** Encrypts a file with passwords. */
export const protect: Tool = {
  slug: 'protect',
  name: 'Protect',
  text: 'Encrypt a file with AES-256, so that it asks for a password or limits what readers may do.',
  icon: 'shield',
  group: 'Protection',
  order: 1,
  action: 'Protect',
  suffix: 'protected',
  isOffered: ({ may_protect: mayProtect }) => mayProtect,
  hidesPages: 'The file is encrypted. Its pages cannot be shown here.',
  initial: { user: '', owner: '', printing: true, copying: false, modifying: false },
  request: (values, [file]) => {
    const { user, owner } = values;
    if (owner === '') return 'Enter the owner password.';
    if (user === owner)
      return 'The two passwords must differ. Otherwise every reader has the rights of the owner.';
    return {
      path: '/v1/pdf/protect',
      body: {
        pdf: file?.id,
        owner_password: owner,
        ...(user !== '' && { user_password: user }),
        permissions: {
          printing: values['printing'] === true,
          copying: values['copying'] === true,
          modifying: values['modifying'] === true,
        },
      },
    };
  },
  form: (values, set) => (
    <>
      <Field
        label="Owner password"
        hint="Opens the file without restrictions."
        type="password"
        autocomplete="new-password"
        maxLength={127}
        value={String(values['owner'])}
        onValue={(owner) => set({ owner })}
      />
      <Field
        label="User password (optional)"
        hint="Opens the file with the rights below. Without it, the file opens without a password."
        type="password"
        autocomplete="new-password"
        maxLength={127}
        value={String(values['user'])}
        onValue={(user) => set({ user })}
      />
      <fieldset class="rights">
        <legend class="label">Readers may</legend>
        {(
          [
            ['printing', 'Print'],
            ['copying', 'Copy text and images'],
            ['modifying', 'Change pages, and fill in forms'],
          ] as const
        ).map(([name, label]) => (
          <Check
            key={name}
            label={label}
            checked={values[name] === true}
            onValue={(isAllowed) => set({ [name]: isAllowed })}
          />
        ))}
      </fieldset>
    </>
  ),
};
