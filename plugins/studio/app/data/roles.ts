/** The roles of the members of an account, from the fewest permissions to the most. */
export const MEMBER_ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What a view or an action needs: the lowest role in the account, or the person being an operator. */
export type Permission = MemberRole | 'operator';

/** The properties of a session on which permissions depend. */
export interface Permitted {
  role: MemberRole;
  person: { operator: boolean };
}

/** Tells whether the person of a session may see or do what needs a permission. */
export function may({ role, person }: Permitted, needed: Permission): boolean {
  return needed === 'operator' ? person.operator : isAtLeast(role, needed);
}

/** Tells whether a role has all permissions of another. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least);
}

/** What the members with each role can do, as the end of a sentence. */
export const ROLE_TEXTS: Readonly<Record<MemberRole, string>> = {
  viewer: 'see templates, documents and files, but not change them',
  editor: 'change templates and files, make documents and use the PDF tools',
  admin: 'do all that editors can, manage members, API keys, webhooks and certificates, and export the data',
  owner: 'do everything, also make and remove owners and delete the account',
};
