import { useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { capitalise, formatMoment } from '../data/format.ts';
import { ROLE_TEXTS, type MemberRole } from '../data/roles.ts';
import { useSubmission } from '../ui/attempt.ts';
import { CopyButton } from '../ui/code-block.tsx';
import { Button, Field, Select } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { FormError } from '../ui/states.tsx';

/** A new invitation. Its link is returned only once. */
interface NewInvitation {
  email: string;
  url: string;
  expires_at: string;
}

/** Renders the form that invites a person with one of the given roles, and then the link. */
export function InviteDialog(props: {
  roles: readonly MemberRole[];
  onInvited: () => void;
  onClose: () => void;
}) {
  const [invited, setInvited] = useState<NewInvitation>();
  if (invited)
    return (
      <Dialog
        title="Send this link"
        size="wide"
        onClose={props.onClose}
        actions={
          <Button kind="primary" onClick={props.onClose}>
            Done
          </Button>
        }
      >
        <div class="stack">
          <p class="soft">
            Send this link to {invited.email}; the service sends no message. The link works once, for seven
            days, until {formatMoment(invited.expires_at)}. This is the only time that it is shown.
          </p>
          <div class="secret">
            <code>{invited.url}</code>
            <CopyButton text={invited.url} label="Copy link" kind="primary" />
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Invite a person" onClose={props.onClose}>
      <InviteForm
        roles={props.roles}
        onClose={props.onClose}
        onInvited={(invitation) => {
          setInvited(invitation);
          props.onInvited();
        }}
      />
    </Dialog>
  );
}

function InviteForm(props: {
  roles: readonly MemberRole[];
  onInvited: (invitation: NewInvitation) => void;
  onClose: () => void;
}) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('editor');
  const { isBusy, error, submit } = useSubmission();
  const identity = useIdentity();
  const invite = async () => {
    const body = { email: email.trim(), role };
    const made = await identity.confirmed(() =>
      post<Omit<NewInvitation, 'email'>>('/studio/api/members/invitations', body),
    );
    props.onInvited({ ...made, email: body.email });
  };
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(invite);
        }}
      >
        <Field
          label="Email"
          type="email"
          hint="A new invitation replaces an earlier one to the same address."
          required
          maxLength={254}
          autofocus
          autocomplete="off"
          value={email}
          onValue={setEmail}
        />
        <Select
          label="Role"
          hint={`${capitalise(role)}s can ${ROLE_TEXTS[role]}.`}
          value={role}
          choices={props.roles.map((name) => [name, capitalise(name)] as const)}
          onValue={(value) => setRole(value as MemberRole)}
        />
        <FormError error={error} />
        <div class="row end">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={email.trim() === ''}>
            Create the invitation
          </Button>
        </div>
      </form>
      {identity.dialog}
    </>
  );
}
