import type * as Api from './api-types.ts';
import type { PLANS } from './plans.ts';
import type { MemberRole } from './roles.ts';

export type {
  AcceptedBulkBatch as AcceptedBatch,
  Asset,
  AuditEntry,
  BatchListItem as BatchItem,
  BatchSummary as Batch,
  Certificate,
  Event as WebhookEvent,
  GenerationStatus,
  PrintOptions as PageOptions,
  Proof,
  Receipt,
  StarterTemplateSummary as StarterSummary,
  Template,
  TemplateCase,
  TemplateCheck,
  TemplateSummary,
  TemplateVersion,
  Usage,
  WebhookDelivery,
  WebhookEndpoint,
} from './api-types.ts';

/** The number of PDFs on one day. */
export type UsageDay = Api.Usage['by_day'][number];

/** A case that a new version of the browser changes. */
export type ChangedCase = Pick<Api.TemplateCase, 'template_id' | 'name' | 'browser_change'> & { id: string };

/** The check of one case of a template. */
export type CheckedCase = Api.TemplateCheck['cases'][number];

/** The entries of a part of a receipt. */
export interface Entries<T> {
  entries: T[];
  omitted: number;
}

/** A starter with its content. */
export type Starter = Omit<Api.StarterTemplate, 'options'> & Pick<Api.Template, 'options'>;

/** A generation, alone or in a list, which omits some fields. */
export type Generation = Api.GenerationSummary & Partial<Omit<Api.Generation, keyof Api.GenerationSummary>>;

/** An account as the session describes it. */
export interface Account {
  id: string;
  email: string;
  plan: (typeof PLANS)[number];
  created_at: string;
}

/** Properties of the service that the views depend on. */
export interface ServiceInfo {
  version: string;
  plugins: string[];
  passkeys_available: boolean;
  ai: boolean;
  may_protect: boolean;
  /** Whether signatures can have timestamps. */
  has_timestamps: boolean;
  /** Whether documents can be printed with an earlier version of Chromium. */
  has_earlier_browser: boolean;
  /** The name of the identity provider with which people may sign in. */
  identity_provider: string | null;
}

/** A person who signs in. Operators manage all accounts of the service. */
export interface Person {
  id: string;
  email: string;
  operator: boolean;
}

/** An account of which the person is a member. */
export interface OwnAccount {
  id: string;
  email: string;
  role: MemberRole;
}

/** A signed-in session: the person, and the account in which they work. */
export interface Session {
  signed_in: true;
  person: Person;
  account: Account;
  /** The role of the person in the account. */
  role: MemberRole;
  /** All accounts of the person. */
  accounts: OwnAccount[];
  has_password: boolean;
  passkeys: number;
  session: { id: string; expires_at: string };
  usage: Api.Usage;
  service: ServiceInfo;
}

/** The state of this browser: signed in or signed out. */
export type SessionState = Session | SignedOut;

/** The state without a session. `ended` is the reason why the browser's last session ended, if it had one. */
export interface SignedOut {
  signed_in: false;
  service: ServiceInfo;
  ended?: 'suspended' | 'session';
}

/** A page of a list. */
export interface List<T> {
  data: T[];
  has_more: boolean;
}

/** An API key. The key itself is returned only when it is created. */
export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  restorable_until: string | null;
  scopes: string[];
  expires_at: string | null;
  allowed_ips: string[] | null;
  test: boolean;
  key?: string;
}

export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface ListedSession {
  id: string;
  current: boolean;
  address: string;
  user_agent: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** A member of the account. */
export interface Member {
  id: string;
  email: string;
  role: MemberRole;
  joined_at: string;
  /** Whether the member is the person of the session. */
  you: boolean;
}

/** An invitation that was not used yet. */
export interface Invitation {
  id: string;
  email: string;
  role: MemberRole;
  created_at: string;
  expires_at: string;
}
