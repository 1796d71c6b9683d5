/**
 * Results of a probe. All texts are masked and visible: no secrets, no control
 * characters. Only the names of tools are exact, because a file names them.
 */
import { plainText } from '../base/plainText.ts';

/** Progress of a probe, and the step at which its time was over. */
export type ProbeStep = 'starting' | 'connecting' | 'initialising' | 'listing';

export interface ProbedTool {
  /** Can repeat a secret, or have invisible characters. */
  readonly name: string;
  /** The masked and visible name, if it differs. */
  readonly shownName?: string;
  readonly description?: string;
  readonly title?: string;
  /** Claims of the server about its tool. Nothing checks them. */
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
}

export function shownToolName(
  { name, shownName }: Pick<ProbedTool, 'name' | 'shownName'>,
  length = 200,
): string {
  return plainText(shownName ?? name, length);
}

export interface WorkingServer {
  readonly kind: 'works';
  readonly tools: readonly ProbedTool[];
  readonly milliseconds: number;
  readonly serverName?: string;
  readonly serverVersion?: string;
  /**
   * True if the server never answers an unknown request. Only the first check
   * waits for the answer.
   */
  readonly ignoresFirstQuestion?: true;
}

export interface FailingServer {
  readonly kind: 'fails';
  readonly failure: ProbeFailure;
  readonly milliseconds: number;
}

export type ProbeResult = WorkingServer | FailingServer;

export type ProbeFailure =
  /**
   * `lookedIn` are the folders of PATH; none where the program is named with
   * its path.
   */
  | {
      readonly reason: 'programNotFound';
      readonly program: string;
      readonly lookedIn: readonly string[];
    }
  | { readonly reason: 'programNotExecutable'; readonly program: string }
  | { readonly reason: 'folderNotFound'; readonly folder: string }
  /** Ended on its own before it answered. */
  | {
      readonly reason: 'exited';
      readonly code: number | null;
      readonly killedBy?: string;
      readonly lastLines: readonly string[];
    }
  /**
   * Says something else than the protocol, on its standard output or in its
   * answers.
   */
  | { readonly reason: 'notProtocol'; readonly lastLines: readonly string[] }
  | {
      readonly reason: 'signIn';
      /** Source of the demand: the entry (`auth: "oauth"`) or the server. */
      readonly askedBy: 'entry' | 'server';
      /**
       * Claims of the server’s metadata: who signs users in, and what is asked
       * for.
       */
      readonly issuer?: string;
      readonly scopes?: readonly string[];
    }
  /** `sent` says whether the entry has a key or a header at all. */
  | {
      readonly reason: 'keyRefused';
      readonly status: number;
      readonly sent: boolean;
      readonly said?: string;
    }
  | {
      readonly reason: 'redirected';
      readonly status: number;
      readonly to: string;
    }
  /**
   * `found` describes the answer: the title of a page, or its type of content.
   */
  | {
      readonly reason: 'notMcp';
      readonly url: string;
      readonly status: number;
      readonly found?: string;
    }
  | {
      readonly reason: 'certificate';
      readonly host: string;
      readonly detail: string;
    }
  | { readonly reason: 'proxy'; readonly host: string; readonly detail: string }
  | {
      readonly reason: 'unreachable';
      readonly host: string;
      readonly why:
        'refused' | 'unknownHost' | 'closed' | 'noRoute' | 'badAddress';
    }
  | {
      readonly reason: 'timedOut';
      readonly waitingFor: ProbeStep;
      readonly milliseconds: number;
      readonly lastLines: readonly string[];
    }
  /**
   * Names of variables that the entry refers to without a default, and that are
   * not set here.
   */
  | { readonly reason: 'variableMissing'; readonly names: readonly string[] }
  | { readonly reason: 'protocolVersion'; readonly theirs?: string }
  | {
      readonly reason: 'tooMuch';
      readonly of: 'bytes' | 'messages' | 'tools' | 'pages';
      readonly most: number;
    }
  | { readonly reason: 'cancelled' }
  | {
      readonly reason: 'other';
      readonly detail: string;
      readonly lastLines: readonly string[];
    };

export type FailureReason = ProbeFailure['reason'];
