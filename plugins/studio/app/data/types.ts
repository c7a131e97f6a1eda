/** An account as the session describes it. */
export interface Account {
  id: string;
  email: string;
  plan: 'free' | 'starter' | 'pro' | 'enterprise';
  created_at: string;
}

/** The response of `GET /v1/usage`. */
export interface Usage {
  plan: string;
  period: { start: string; end: string };
  used: number;
  limit: number | null;
  remaining: number | null;
  by_day: UsageDay[];
  rate_limit: { limit: number; window_seconds: number };
}

/** The number of PDFs on one day. */
export interface UsageDay {
  date: string;
  completed: number;
  failed: number;
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
}

/** A signed-in session. */
export interface Session {
  signed_in: true;
  account: Account;
  role: 'owner' | 'operator';
  has_password: boolean;
  passkeys: number;
  session: { id: string; expires_at: string };
  usage: Usage;
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

/** The options of a document. The forms edit the named options and keep the others. */
export interface PageOptions {
  format?: string | { width: string; height?: string } | undefined;
  margin?:
    | number
    | string
    | Partial<Record<'top' | 'right' | 'bottom' | 'left', string | number>>
    | undefined;
  orientation?: 'portrait' | 'landscape' | undefined;
  header?: string | undefined;
  footer?: string | undefined;
  printBackground?: boolean | undefined;
  singlePage?: boolean | undefined;
  outline?: boolean | undefined;
  pdfa?: boolean | string | undefined;
  accessible?: boolean | 'report' | undefined;
  properties?: Partial<Record<'title' | 'language', string>> | undefined;
  strict?: boolean | undefined;
  [other: string]: unknown;
}

/** A template as lists return it. */
export interface TemplateSummary {
  id: string;
  name: string;
  category: string;
  schema: Record<string, string>;
  version: number;
  is_public: boolean;
  partial: boolean;
  created_at: string;
  updated_at: string;
}

/** A template with its content. */
export interface Template extends TemplateSummary {
  html_content: string;
  options: PageOptions | null;
  sample_data: Record<string, unknown> | null;
}

/** A version of a template. */
export interface TemplateVersion {
  version: number;
  created_at: string | null;
  current: boolean;
}

/** A starter as lists return it. */
export interface StarterSummary {
  slug: string;
  name: string;
  description: string;
  category: string;
  sample_data: Record<string, unknown>;
}

/** A starter with its content. */
export interface Starter extends StarterSummary {
  html_content: string;
  schema: Record<string, string>;
  options: PageOptions | null;
}

/** A stored asset. */
export interface Asset {
  name: string;
  type: string;
  file_size: number;
  font?: { family: string; weight: string; style: string };
  created_at: string;
  updated_at: string;
  url: string;
}

/** A certificate that signs PDFs. Its key never leaves the service. */
export interface Certificate {
  id: string;
  name: string;
  subject: string;
  issuer: string;
  not_before: string;
  not_after: string;
  key_type: string;
  created_at: string;
}

/** The status of a generation. */
export type GenerationStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';

/** A generation. Lists omit `error` and `receipt`. */
export interface Generation {
  id: string;
  status: GenerationStatus;
  file_size: number | null;
  generation_time_ms: number | null;
  file_name: string | null;
  reference: string | null;
  metadata: Record<string, string>;
  expires_at: string | null;
  pages: number | null;
  template_id: string | null;
  input_type: 'html' | 'template' | 'react' | 'markdown' | 'url';
  content_type: string;
  created_at: string;
  batch_id?: string;
  index?: number;
  url?: string | null;
  error?: string | null;
  receipt?: Receipt | null;
}

/** The entries of a part of a receipt. */
export interface Entries<T> {
  entries: T[];
  omitted: number;
}

/** The receipt of a generation. */
export interface Receipt {
  class: string | null;
  phases: Record<string, number>;
  resources: Entries<{
    url: string;
    type: string;
    outcome: string;
    reason: string | null;
    status: number | null;
    mime_type: string | null;
    bytes: number | null;
    ms: number | null;
  }>;
  console: Entries<{ level: string; text: string }>;
  exceptions: Entries<{ message: string; line: number | null; column: number | null }>;
  missing_glyphs: { count: number; characters: string[] } | null;
  schema_mismatches: Entries<{ path: string; expected: string; found: string }>;
  proof: Proof | null;
  accessibility?: {
    claim: string | null;
    findings: Entries<{ path: string; code: string; severity: string; message: string }>;
  };
}

/** The claims of a stored PDF, and the rules that confirmed them. */
export interface Proof {
  sha256: string;
  claims: { standard: string; level: string; checked_by: string; rules: string[]; passed_at: string }[];
  steps: { do: string }[];
}

/** A batch as lists return it. */
export interface Batch {
  batch_id: string;
  status: 'queued' | 'processing' | 'completed' | 'canceled';
  total: number;
  completed: number;
  failed: number;
  canceled: number;
  created_at: string;
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
  key?: string;
}

/** A passkey. */
export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** A session in the list of sessions. */
export interface ListedSession {
  id: string;
  current: boolean;
  address: string;
  user_agent: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}
