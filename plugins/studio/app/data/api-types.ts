// Written by `npm run openapi`.

export interface AcceptedBulkBatch {
  batch_id: string;
  total: number;
  skipped: number;
  invalid_lines: Array<InvalidLine>;
  status: 'queued';
}

export interface AcceptedPages {
  pages: number;
  file_size: number;
  url: string | null;
  version: number | null;
  chromium: string | null;
  accepted_at: Timestamp;
}

export type AllowedChanges = 'no_changes' | 'form_filling' | 'annotations' | null;

export interface Asset {
  name: string;
  type: string;
  file_size: number;
  font: {
    family: string;
    weight: string;
    style: string;
  } | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  url: string;
}

export type AssetErrorPolicy = 'fail' | 'ignore';

export interface Attachment {
  name: string;
  data: string;
  mimeType?: string | undefined;
  description?: string | undefined;
  relationship?: AttachmentRelationship | undefined;
}

export type AttachmentRelationship = 'source' | 'data' | 'alternative' | 'supplement' | 'unspecified';

export interface AuditActor {
  type: AuditActorType;
  id: string | null;
  name: string;
}

export type AuditActorType = 'key' | 'member' | 'operator' | 'command';

export interface AuditEntry {
  id: string;
  at: string;
  actor: AuditActor;
  action: string;
  target: string | null;
  ip: string | null;
  request_id: string | null;
  outcome: AuditOutcome;
}

export type AuditOutcome = 'completed' | 'unknown';

export interface BatchListItem {
  id: string;
  index: number;
  status: string;
  error: string | null;
  url: string | null;
  file_name: string | null;
  warnings: number;
}

export type BatchStatus = 'queued' | 'processing' | 'completed' | 'canceled';

export type BatchSummary = BulkProgress & {
  batch_id: string;
  status: BatchStatus;
  total: number;
  completed: number;
  failed: number;
  canceled: number;
  created_at: Timestamp;
  test: boolean;
};

export interface BrowserChange {
  from: string;
  to: string;
  status: BrowserChangeStatus;
  checked_at: Timestamp;
}

export type BrowserChangeStatus = 'equal' | 'different' | 'failed';

export type BrowserChoice = 'current' | 'earlier';

export interface BulkProgress {
  skipped?: number | undefined;
  result?: BulkResult | undefined;
  result_url?: string | null | undefined;
  result_error?: string | null | undefined;
  documents_per_second?: number | null | undefined;
  expected_end?: Timestamp | null | undefined;
}

export type BulkResult = 'links' | 'zip' | 'pdf';

export interface CaseError {
  code: string;
  message: string;
}

export type CaseStatus = 'equal' | 'different' | 'new' | 'failed';

export interface Certificate {
  id: string;
  name: string;
  subject: string;
  issuer: string;
  not_before: Timestamp;
  not_after: Timestamp;
  key_type: string;
  created_at: Timestamp;
}

export interface CheckedCase {
  name: string;
  status: CaseStatus;
  error?: CaseError | undefined;
  pages: Array<CheckedPage>;
  layout: Array<LayoutFinding>;
}

export interface CheckedPage {
  page: number;
  equal: boolean;
  changed_fraction: number;
  image_url: string | null;
  diff_url: string | null;
}

export type ContentType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'image/webp' | 'application/zpl' | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export type DisabledReason = 'request' | 'failing' | 'gone';

export interface DocumentProperties {
  title?: string | undefined;
  author?: string | undefined;
  subject?: string | undefined;
  keywords?: Keywords | undefined;
  language?: string | undefined;
}

export interface Event {
  id: string;
  type: string;
  timestamp: string;
  stored_at: string;
  data: unknown;
}

export type Generation = GenerationProperties & {
  receipt?: Receipt | null | undefined;
  url?: string | null | undefined;
  data?: string | undefined;
  error: string | null;
  warnings: Warnings;
};

export type GenerationProperties = RenderedProperties & {
  pages: number | null;
  template_id: string | null;
  input_type: InputType;
  content_type: ContentType;
  created_at: Timestamp;
  batch_id?: string | undefined;
  index?: number | undefined;
};

export type GenerationStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';

export type GenerationSummary = GenerationProperties & {
  url: string | null;
};

export type HeaderFooter = string;

export type InputType = 'html' | 'template' | 'react' | 'markdown' | 'url';

export interface InvalidLine {
  line: number;
  message: string;
}

export type Keywords = Array<string>;

export interface LayoutFinding {
  page: number | null;
  finding: string;
}

export type MarginLength = number | string;

export interface MarkFields {
  text?: string | undefined;
  pages?: string | undefined;
  position?: MarkPosition | undefined;
  offset?: MarkOffset | undefined;
  margin?: number | undefined;
  opacity?: number | undefined;
  rotation?: MarkRotation | undefined;
  scale?: number | undefined;
  color?: TextColor | undefined;
  tile?: boolean | undefined;
  layer?: MarkLayer | undefined;
}

export type MarkLayer = 'over' | 'under';

export interface MarkOffset {
  x: number;
  y: number;
}

export interface MarkPoint {
  x: number;
  y: number;
}

export type MarkPosition = 'center' | 'top' | 'bottom' | 'left' | 'right' | 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right' | MarkPoint;

export type MarkRotation = number | 'diagonal-up' | 'diagonal-down';

export type Metadata = Record<string, string>;

export type Orientation = 'portrait' | 'landscape';

export type OwnerPassword = string;

export interface PageMargins {
  top?: MarginLength | undefined;
  right?: MarginLength | undefined;
  bottom?: MarginLength | undefined;
  left?: MarginLength | undefined;
}

export type PaperFormat = 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'Letter' | 'Legal' | 'Tabloid' | 'Ledger';

export interface PaperSize {
  width: string;
  height?: string | undefined;
}

export interface PdfPermissions {
  printing?: boolean | undefined;
  copying?: boolean | undefined;
  modifying?: boolean | undefined;
  annotating?: boolean | undefined;
  filling?: boolean | undefined;
  assembling?: boolean | undefined;
}

export type PdfaLevel = '1b' | '2b' | '2u' | '3b' | '3u';

export interface PrintOptions {
  format?: PaperFormat | PaperSize | undefined;
  margin?: number | string | PageMargins | undefined;
  orientation?: Orientation | undefined;
  header?: HeaderFooter | undefined;
  footer?: HeaderFooter | undefined;
  firstPage?: {
    header?: HeaderFooter | undefined;
    footer?: HeaderFooter | undefined;
  } | undefined;
  pageNumberStart?: number | undefined;
  printBackground?: boolean | undefined;
  scale?: number | undefined;
  singlePage?: boolean | undefined;
  pageRanges?: string | undefined;
  media?: 'print' | 'screen' | undefined;
  waitFor?: WaitFor | undefined;
  preferCssPageSize?: boolean | undefined;
  strict?: boolean | undefined;
  onAssetError?: AssetErrorPolicy | undefined;
  ignoreAssetHosts?: Array<string> | undefined;
  outline?: boolean | undefined;
  browser?: BrowserChoice | undefined;
  properties?: DocumentProperties | undefined;
  watermark?: WatermarkOptions | undefined;
  attachments?: Array<Attachment> | undefined;
  protect?: ProtectOptions | undefined;
  pdfa?: boolean | '1b' | '2b' | '2u' | '3b' | '3u' | undefined;
  accessible?: boolean | 'report' | undefined;
  signature?: SignatureOptions | undefined;
  [other: string]: unknown;
}

export interface Proof {
  sha256: string;
  claims: Array<{
    standard: string;
    level: string;
    checked_by: string;
    rules: Array<string>;
    passed_at: Timestamp;
  }>;
  steps: Array<{
    do: string;
  }>;
}

export interface ProtectOptions {
  ownerPassword: OwnerPassword;
  userPassword?: UserPassword | undefined;
  permissions?: PdfPermissions | undefined;
}

export interface Receipt {
  class: string | null;
  phases: Record<string, number>;
  resources: {
    entries: Array<{
      url: string;
      type: string;
      outcome: string;
      reason: string | null;
      status: number | null;
      mime_type: string | null;
      bytes: number | null;
      ms: number | null;
    }>;
    omitted: number;
  };
  console: {
    entries: Array<{
      level: string;
      text: string;
    }>;
    omitted: number;
  };
  exceptions: {
    entries: Array<{
      message: string;
      line: number | null;
      column: number | null;
    }>;
    omitted: number;
  };
  missing_glyphs: {
    count: number;
    characters: Array<string>;
  } | null;
  schema_mismatches: {
    entries: Array<{
      path: string;
      expected: string;
      found: string;
    }>;
    omitted: number;
  };
  missing_variables: {
    entries: Array<{
      path: string;
      count: number;
    }>;
    omitted: number;
  };
  overflow: {
    scale: number;
    clipped: boolean;
  } | null;
  proof: Proof | null;
  accessibility?: {
    claim: string | null;
    findings: {
      entries: Array<{
        path: string;
        code: string;
        severity: string;
        message: string;
      }>;
      omitted: number;
    };
  } | undefined;
}

export type RenderedProperties = ResultProperties & {
  id: string;
  status: GenerationStatus;
  file_size: number | null;
  generation_time_ms: number | null;
};

export interface ResultProperties {
  file_name: string | null;
  reference: string | null;
  metadata: Metadata;
  expires_at: string | null;
  test: boolean;
}

export interface SignatureFields {
  level?: SignatureLevel | undefined;
  visible?: boolean | undefined;
  certify?: AllowedChanges | undefined;
  field?: string | undefined;
}

export type SignatureLevel = 'b-b' | 'b-t' | 'b-lt' | 'b-lta';

export type SignatureOptions = SignatureFields & StampFields & {
  certificate: string;
  page?: number | undefined;
};

export interface StampFields {
  name?: string | undefined;
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

export type StarterTemplate = StarterTemplateSummary & TemplateTranslations & {
  html_content: string | null;
  file?: string | undefined;
  schema: Record<string, string>;
  options: Record<string, unknown> | null;
  cases: Array<{
    name: string;
    data: Record<string, unknown>;
  }>;
};

export interface StarterTemplateSummary {
  slug: string;
  name: string;
  description: string;
  category: string;
  format?: TemplateFormat | undefined;
  sample_data: Record<string, unknown>;
}

export type Template = TemplateSummary & TemplateDefaults & TemplateTranslations & {
  html_content: string | null;
  etag: string;
  file_url?: string | null | undefined;
  file_size?: number | undefined;
  check?: VersionCheck | undefined;
};

export interface TemplateCase {
  name: string;
  template_id: string;
  data: Record<string, unknown>;
  options: PrintOptions | null;
  accepted: AcceptedPages | null;
  browser_change: BrowserChange | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  promoted?: boolean | undefined;
}

export type TemplateCategory = 'invoice' | 'receipt' | 'report' | 'certificate' | 'letter' | 'resume' | 'other';

export interface TemplateCheck {
  passed: boolean;
  version: number | null;
  cases: Array<CheckedCase>;
}

export interface TemplateDefaults {
  options: PrintOptions | null;
  sample_data: Record<string, unknown>;
}

export type TemplateFormat = 'html' | 'docx' | 'xlsx' | 'pptx';

export interface TemplateSummary {
  id: string;
  name: string;
  category: string;
  format: TemplateFormat;
  schema: Record<string, string>;
  version: number;
  current_version: number;
  draft_version: number | null;
  is_public: boolean;
  partial: boolean;
  alias: string | null;
  tags: Array<string>;
  require_checks: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface TemplateTranslations {
  translations?: Record<string, unknown> | undefined;
  default_locale?: string | undefined;
}

export interface TemplateVersion {
  version: number;
  created_at: Timestamp;
  current: boolean;
  draft: boolean;
}

export type TextColor = string;

export type Timestamp = string;

export interface Usage {
  plan: string;
  period: {
    start: Timestamp;
    end: Timestamp;
  };
  used: number;
  limit: number | null;
  remaining: number | null;
  by_day: Array<{
    date: string;
    completed: number;
    failed: number;
  }>;
  rate_limit: {
    limit: number;
    window_seconds: number;
  };
}

export type UserPassword = string;

export interface VersionCheck {
  passed: boolean;
  stored_as: 'version' | 'draft';
  cases: Array<{
    name: string;
    status: string;
  }>;
}

export interface WaitFor {
  selector?: string | undefined;
  expression?: string | undefined;
  networkIdle?: boolean | undefined;
  delayMs?: number | undefined;
}

export interface Warning {
  code: 'MISSING_VARIABLE' | 'SCHEMA_MISMATCH' | 'ASSET_FAILED' | 'MISSING_GLYPHS' | 'FONT_REPLACED' | 'LANGUAGE_REPLACED' | 'OVERFLOW' | 'BILL_SIZE' | 'PAGE_SIZE_IGNORED' | 'TEMPLATE_TAGS';
  message: string;
  path: string | null;
}

export type Warnings = Array<Warning>;

export type WatermarkOptions = MarkFields & {
  image?: string | undefined;
  overlay?: string | undefined;
  relativeSize?: number | undefined;
  fontSize?: number | undefined;
};

export interface WebhookDelivery {
  id: string;
  event: string;
  url: string;
  endpoint_id: string | null;
  event_id: string | null;
  status: DeliveryStatus;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  created_at: Timestamp;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  events: Array<string>;
  description: string | null;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  disabled_at: string | null;
  failing_since: string | null;
  created_at: string;
  updated_at: string;
}

export const PAPER_FORMATS = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const;

export const PDFA_LEVELS = ['1b', '2b', '2u', '3b', '3u'] as const;

export const CATEGORIES = ['invoice', 'receipt', 'report', 'certificate', 'letter', 'resume', 'other'] as const;
