import type { Attestation } from '@assay/contracts';
import type { SpaceUse } from './space.ts';
import type { EgressHost, Mount, PythonInterpreter, SandboxSpec, SessionExit } from '@assay/sandbox';

/** Where an environment stands inside every sandbox, when it is built and when it is used. */
export const ENVIRONMENT_INSIDE = '/environment';

/** Packages that a program needs, and the means to get them. */
export interface EnvironmentRequest {
  readonly interpreter: PythonInterpreter;
  /** Lines of a requirements file: one requirement each, `--hash` allowed, no other options. */
  readonly requirements: readonly string[];
  /** Lines of a constraints file. */
  readonly constraints?: readonly string[];
  /** Whether source distributions, whose own programs run while they are built, may be used where no wheel serves. */
  readonly sources: 'never' | 'when-needed';
  /** Variables for the programs of source distributions, such as SETUPTOOLS_SCM_PRETEND_VERSION. */
  readonly buildEnv?: Readonly<Record<string, string>>;
  /** Lines of a constraints file for what builds source distributions, such as `setuptools<81`. */
  readonly buildConstraints?: readonly string[];
  /** True to let the installer say what it saw and why it skipped it (`-vv`); the environment is the same. */
  readonly verbose?: boolean;
  /** Names the caller's attempt. A build that a restart interrupted goes on under the same key. */
  readonly key: string;
  readonly limits: EnvironmentLimits;
  readonly run: RunStep;
  readonly signal: AbortSignal;
  readonly log?: (level: 'info' | 'warn', message: string) => void;
}

export interface EnvironmentLimits extends Pick<SandboxSpec, 'cpus' | 'memoryBytes' | 'pids' | 'diskBytes'> {
  /** Of each step. */
  readonly timeoutSeconds: number;
}

export interface StepRequest {
  readonly spec: SandboxSpec;
  readonly argv: readonly string[];
  /** Absolute path inside. */
  readonly cwd: string;
}

export interface StepResult {
  readonly id: string;
  readonly exit: SessionExit;
  readonly attestation: Attestation;
  /** The last part of what was printed, both streams. */
  tail(bytes?: number): Promise<string>;
  /** All of its standard output, refused above `limit` bytes. */
  output(limit: number): Promise<string>;
}

/**
 * Runs one named command in the sandbox. The request is made only when the command was not started before: a caller that
 * binds to running sessions after a restart gives the result of that one.
 */
export type RunStep = (name: string, request: () => Promise<StepRequest>) => Promise<StepResult>;

/** A complete environment, ready to be mounted. */
export interface PythonEnvironment {
  /** Of what was asked for; the name in the cache. */
  readonly id: string;
  /** Of the content as it was when the environment was completed, and is now. */
  readonly treeSha256: string;
  /** The folder on this machine. */
  readonly path: string;
  /** The interpreter inside: its executable is that of the environment. Use it together with `mount`. */
  readonly interpreter: PythonInterpreter;
  readonly mount: Mount;
  readonly lock: readonly LockedPackage[];
  readonly report: EnvironmentReport;
  /** True when nothing had to be built. */
  readonly cached: boolean;
}

/** One installed distribution with the exact file that it came from. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** File name of the wheel or source distribution. */
  readonly file: string;
  readonly kind: 'wheel' | 'source';
  /** Of that file, where the index or pip said it. */
  readonly sha256: string | null;
  /** Where it came from: the host, or `find-links`. */
  readonly from: string;
  readonly requested: boolean;
  readonly yanked?: string;
}

export interface EnvironmentReport {
  readonly python: string;
  readonly installer: string;
  /** How it was filled: wheels only, or source distributions too. */
  readonly step: 'none' | 'wheels' | 'sources';
  readonly hosts: readonly EgressHost[];
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Files that run or change paths at each start of the interpreter: `.pth` files, sitecustomize, usercustomize. */
  readonly startupFiles: readonly string[];
  /** Settings of pip that were left out, and other things worth knowing. */
  readonly notes: readonly string[];
  readonly sessions: readonly string[];
}

/** Why there is no environment. Data, because the caller may mend the requirements and ask again. */
export interface EnvironmentFailure {
  readonly step: 'create' | 'wheels' | 'sources' | 'check';
  readonly message: string;
  /** The end of what the installer printed, at most 64 KiB. */
  readonly output: string;
  /** Hosts that were asked for and refused. */
  readonly refusedHosts: readonly EgressHost[];
  /** Absent when the failure is not that of a command. */
  readonly exit?: SessionExit;
  readonly session?: string;
  /** Of a command that failed: it may have been for want of it. */
  readonly space?: SpaceUse;
  readonly notes: readonly string[];
}

export type EnvironmentOutcome =
  | { readonly kind: 'ready'; readonly environment: PythonEnvironment }
  | { readonly kind: 'failed'; readonly failure: EnvironmentFailure };
