import { useState } from 'preact/hooks';
import { get, patch, remove } from '../data/api.ts';
import { capitalise, formatDay, formatMoment } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { isAtLeast, MEMBER_ROLES, ROLE_TEXTS, type MemberRole } from '../data/roles.ts';
import { forgetData, readSession, useMay, useSession, useSetSession } from '../data/session.ts';
import type { Invitation, List, Member } from '../data/types.ts';
import { navigate } from '../router.ts';
import { attempt } from '../ui/attempt.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { Menu } from '../ui/menu.tsx';
import { Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { InviteDialog } from './invite.tsx';
import { useKeyReview } from './key-review.tsx';

/** A change of the members for which the view asks first. */
type Question =
  | { kind: 'role'; member: Member; role: MemberRole }
  | { kind: 'transfer' | 'remove' | 'leave'; member: Member };

/**
 * Renders the members of the account and its unused invitations. Admins manage all members except owners, and
 * owners manage everyone. Every member may leave.
 */
export function Members() {
  const { account, role: ownRole } = useSession();
  const mayManage = useMay()('admin');
  const members = useResource('members', (signal) => get<List<Member>>('/studio/api/members', signal));
  const invitations = useResource(mayManage ? 'invitations' : undefined, (signal) =>
    get<List<Invitation>>('/studio/api/members/invitations', signal),
  );
  const [isInviting, setInviting] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const set = useSetSession();
  const identity = useIdentity();

  const reload = async () => {
    members.reload();
    set(await readSession());
  };
  const changeRole = async ({ id, email, you }: Member, role: MemberRole) => {
    await identity.confirmed(() => patch(`/studio/api/members/${id}`, { role }));
    toast(you ? `You are now ${withArticle(role)}.` : `${email} is now ${withArticle(role)}.`);
    await reload();
  };
  const choose = (member: Member, role: MemberRole) => {
    if (member.you || role === 'owner') setQuestion({ kind: 'role', member, role });
    else void attempt(() => changeRole(member, role));
  };
  const revoke = ({ id, email }: Invitation) =>
    attempt(async () => {
      await remove(`/studio/api/members/invitations/${id}`);
      invitations.reload();
      toast(`The invitation of ${email} no longer works.`);
    });

  return (
    <div class="page">
      <ViewHead title="Members" text={`These people work in the account ${account.email}.`}>
        {mayManage && (
          <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
            Invite a person
          </Button>
        )}
      </ViewHead>
      <section>
        <Loaded from={members}>
          {({ data }) => (
            <MemberTable members={data} ownRole={ownRole} onRole={choose} onQuestion={setQuestion} />
          )}
        </Loaded>
      </section>
      {mayManage && (
        <section>
          <header class="section-head">
            <h2>Invitations</h2>
          </header>
          <Loaded from={invitations}>
            {({ data }) =>
              data.length === 0 ? (
                <p class="note">There are no unused invitations.</p>
              ) : (
                <InvitationTable invitations={data} onRevoke={(invitation) => void revoke(invitation)} />
              )
            }
          </Loaded>
        </section>
      )}
      <section>
        <header class="section-head">
          <h2>Roles</h2>
        </header>
        <dl class="panel padded roles">
          {MEMBER_ROLES.map((role) => (
            <div key={role}>
              <dt>{capitalise(role)}s</dt>
              <dd>can {ROLE_TEXTS[role]}</dd>
            </div>
          ))}
        </dl>
      </section>
      {isInviting && (
        <InviteDialog
          roles={rolesToGive(ownRole)}
          onInvited={invitations.reload}
          onClose={() => setInviting(false)}
        />
      )}
      <Asking
        question={question}
        onClose={() => setQuestion(undefined)}
        onRole={changeRole}
        onChanged={reload}
      />
      {identity.dialog}
    </div>
  );
}

/** Returns the roles that a member with a role may give. */
function rolesToGive(own: MemberRole): MemberRole[] {
  return MEMBER_ROLES.filter((role) => isAtLeast(own, role));
}

function withArticle(role: MemberRole): string {
  return role === 'viewer' ? 'a viewer' : `an ${role}`;
}

function MemberTable(props: {
  members: Member[];
  ownRole: MemberRole;
  onRole: (member: Member, role: MemberRole) => void;
  onQuestion: (question: Question) => void;
}) {
  const { members, ownRole, onRole, onQuestion } = props;
  const isOnlyOwner = ownRole === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
  /** Only owners change owners, and an account keeps an owner. */
  const mayChange = ({ role, you }: Member) =>
    isAtLeast(ownRole, 'admin') && isAtLeast(ownRole, role) && !(you && isOnlyOwner);
  const columns: Column<Member>[] = [
    {
      label: 'Member',
      cell: ({ email, you, joined_at }) => (
        <>
          <span class="cell-title">
            {email} {you && <span class="badge good">You</span>}
          </span>
          <span class="cell-sub narrow-only">Since {formatDay(joined_at)}</span>
        </>
      ),
    },
    {
      label: 'Role',
      cell: (member) =>
        mayChange(member) ? (
          <Select
            label={`Role of ${member.email}`}
            isBare
            value={member.role}
            choices={rolesToGive(ownRole).map((role) => [role, capitalise(role)] as const)}
            onValue={(role) => onRole(member, role as MemberRole)}
          />
        ) : (
          capitalise(member.role)
        ),
    },
    {
      label: 'Since',
      isWideOnly: true,
      cell: ({ joined_at }) => <time dateTime={joined_at}>{formatDay(joined_at)}</time>,
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (member) =>
        member.you
          ? !isOnlyOwner && (
              <Button size="small" onClick={() => onQuestion({ kind: 'leave', member })}>
                Leave
              </Button>
            )
          : mayChange(member) && (
              <Menu
                label={`Actions for ${member.email}`}
                items={[
                  ownRole === 'owner' && {
                    label: 'Transfer the ownership',
                    icon: 'account',
                    action: () => onQuestion({ kind: 'transfer', member }),
                  },
                  {
                    label: 'Remove',
                    icon: 'trash',
                    isDanger: true,
                    action: () => onQuestion({ kind: 'remove', member }),
                  },
                ]}
              />
            ),
    },
  ];
  return (
    <>
      <Table rows={members} columns={columns} keyOf={({ id }) => id} hasMenus />
      {isOnlyOwner && (
        <p class="table-note soft">
          {members.length > 1
            ? 'An account needs an owner. To leave, make another member an owner first.'
            : 'You are the only member. An account needs an owner, so you cannot leave it.'}
        </p>
      )}
    </>
  );
}

function InvitationTable(props: { invitations: Invitation[]; onRevoke: (invitation: Invitation) => void }) {
  const columns: Column<Invitation>[] = [
    {
      label: 'Person',
      cell: ({ email, expires_at }) => (
        <>
          <span class="cell-title">{email}</span>
          <span class="cell-sub narrow-only">Until {formatMoment(expires_at)}</span>
        </>
      ),
    },
    { label: 'Role', cell: ({ role }) => capitalise(role) },
    {
      label: 'Works until',
      isWideOnly: true,
      cell: ({ expires_at }) => <time dateTime={expires_at}>{formatMoment(expires_at)}</time>,
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (invitation) => (
        <Button
          size="small"
          aria-label={`Revoke the invitation of ${invitation.email}`}
          onClick={() => props.onRevoke(invitation)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return <Table rows={props.invitations} columns={columns} keyOf={({ id }) => id} />;
}

/** Renders the dialog of a question, and makes the change when the person agrees. */
function Asking(props: {
  question: Question | undefined;
  onClose: () => void;
  onRole: (member: Member, role: MemberRole) => Promise<void>;
  onChanged: () => Promise<void>;
}) {
  const { question, onClose, onRole, onChanged } = props;
  const { person, account, accounts } = useSession();
  const set = useSetSession();
  const identity = useIdentity();
  const review = useKeyReview();
  const change = (id: string, role: MemberRole) =>
    identity.confirmed(() => patch(`/studio/api/members/${id}`, { role }));

  const transfer = async ({ id, email }: Member) => {
    await change(id, 'owner');
    try {
      await change(person.id, 'admin');
    } finally {
      await onChanged();
    }
    toast(`${email} is now the owner, and you are an admin.`);
  };
  const removeMember = async ({ id, email, role }: Member) => {
    await identity.confirmed(() => remove(`/studio/api/members/${id}`));
    await onChanged();
    const report = `${email} is no longer a member.`;
    // Editors and viewers cannot create keys.
    if (isAtLeast(role, 'admin')) await review.offer(report);
    else toast(report);
  };
  const leave = async ({ id }: Member) => {
    await identity.confirmed(() => remove(`/studio/api/members/${id}`));
    await forgetData();
    navigate('/', { replace: true });
    const { service } = await readSession();
    set({ signed_in: false, service });
    toast(`You have left the account ${account.email}.`);
  };

  const ask = (asked: Question) => {
    const { member } = asked;
    const { email, you } = member;
    switch (asked.kind) {
      case 'role': {
        const { role } = asked;
        return you ? (
          <Confirm
            title={`Become ${withArticle(role)}?`}
            text={`You lose the permissions of the role “${member.role}”. Only another member can give them back.`}
            action={`Become ${withArticle(role)}`}
            onClose={onClose}
            run={() => onRole(member, role)}
          />
        ) : (
          <Confirm
            title={`Make ${email} an owner?`}
            text="Owners can do everything in the account: they can remove you and other owners, and delete the account."
            action="Make an owner"
            onClose={onClose}
            run={() => onRole(member, role)}
          />
        );
      }
      case 'transfer':
        return (
          <Confirm
            title={`Transfer the ownership to ${email}?`}
            text={`First, ${email} becomes an owner. Then you become an admin: you can no longer delete the account, and only an owner can make you an owner again.`}
            action="Transfer the ownership"
            onClose={onClose}
            run={() => transfer(member)}
          />
        );
      case 'remove':
        return (
          <Confirm
            title={`Remove ${email}?`}
            text="The person loses access to this account at once. Without another account, their sign-in is deleted. Templates, documents and API keys that they made remain."
            action="Remove"
            onClose={onClose}
            run={() => removeMember(member)}
          />
        );
      case 'leave':
        return (
          <Confirm
            title={`Leave the account ${account.email}?`}
            text={
              accounts.length > 1
                ? 'You lose access to it at once, and keep your other accounts. Sign in again to use them.'
                : 'You lose access to it at once. It is your only account, so your sign-in is deleted too. To come back, you need a new invitation.'
            }
            action="Leave"
            onClose={onClose}
            run={() => leave(member)}
          />
        );
    }
  };
  return (
    <>
      {question && ask(question)}
      {identity.dialog}
      {review.dialog}
    </>
  );
}
