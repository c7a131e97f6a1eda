import type {
  AccountInput,
  BodyValue,
  RouteBody,
  RouteInput,
  RouteSpec,
  Sandbox,
  Type,
} from '../../src/plugin.ts';
import type { FilesService, ConfirmClaims, ProveClaims, ReadClaims } from '../files/contract.ts';
import type { RenderService } from '../render/contract.ts';
import type { RevocationClient } from './trust/revocation-client.ts';
import type { TsaClient } from './trust/tsa-client.ts';
import type { Signing } from './signing/signing.ts';

/**
 * A feature of a PDF that one step of a pipeline adds and a later step could undo. A `signature` is a stamp,
 * and a `certificate` is a cryptographic signature.
 */
export type PdfFeature = 'pdfa' | 'invoice' | 'signature' | 'certificate' | 'encryption' | 'attachments';

/** A value, or a function that derives it from the fields of a step. */
type ByFields<Fields, Value> = Value | ((fields: Fields) => Value);

/** Declares an operation as a possible step of pipelines. */
export interface StepSpec<Fields> {
  /**
   * The result of the step: a PDF (the default), which the next step takes, or another response, after which
   * no step can follow.
   */
  result?: ByFields<Fields, 'pdf' | 'other'>;
  /** The reason why the service does not run the step. Present if the operator has switched it off. */
  disabled?: string | undefined;
  /** The features that the step adds. */
  adds?: ByFields<Fields, PdfFeature | readonly PdfFeature[] | undefined>;
  /**
   * Whether cryptographic signatures of earlier steps stay valid. Otherwise, the step cannot follow them if
   * its result is a PDF.
   */
  keepsSignatures?: boolean;
  /**
   * For each feature that the step would undo, the reason and an alternative, as the end of a message:
   * `merging removes signatures. Merge first, then sign`.
   */
  undoes?: ByFields<Fields, Readonly<Partial<Record<PdfFeature, string | undefined>>>>;
}

/** The route of an operation. With `step`, the operation is also a step of pipelines. */
export type OperationSpec<Body extends RouteBody> = RouteSpec<ReturnType<typeof Type.Object>, Body> & {
  step?: StepSpec<BodyValue<Body>>;
};

export type OperationInput<Body> = RouteInput<unknown, unknown, Body> & AccountInput;

/** The routes on which operations register themselves. */
export interface OperationRoutes {
  post<Body extends RouteBody>(
    path: `/v1/pdf/${string}`,
    spec: OperationSpec<Body>,
    handler: (input: OperationInput<BodyValue<Body>>) => unknown,
  ): unknown;
}

/** The parts of the service that operations use. */
export interface OperationContext {
  routes: OperationRoutes;
  sandbox: Sandbox;
  /**
   * Loads the PDFs of a request, and delivers the result. In a pipeline, it loads the result of the previous
   * step, and delivers to the next step. A handler validates its fields before it loads its PDF, so that
   * invalid fields are reported before the first step begins.
   */
  files: FilesService;
  /** The plugin `render`, or `undefined` if it is off. */
  render: RenderService | undefined;
  /** Checks claims such as PDF/A again after a later step. */
  prove: ProveClaims;
  /** Confirms the claims of a result. */
  confirm: ConfirmClaims;
  readClaims: ReadClaims;
  /** Whether PDFs can be protected. */
  mayProtect: boolean;
  /** The time stamping authority, or `undefined` if the operator has not configured one. */
  tsa: TsaClient | undefined;
  /** Fetches revocation data from the addresses in certificates. */
  revocation: RevocationClient;
  /** The roots that the operator trusts, in PEM. */
  trustRoots: readonly string[];
  signing: Signing;
}

/**
 * Registers the route of one operation. A pipeline calls it again for each step, with other routes and files.
 */
export type Operation = (context: OperationContext) => void;
