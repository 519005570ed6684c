import { createHash } from 'node:crypto';
import type { Attestation } from '@assay/contracts';
import { AssayError, canonicalJson, type Clock, type Logger } from '@assay/foundation';
import { ensureHost } from '../ensure-host.ts';
import { hostAddress } from '../host-address.ts';
import type { HostClient } from '../host-client.ts';
import { chooseLimiter } from '../limits/choose-limiter.ts';
import type { Instance, LimitKind, Sandbox, SandboxCapabilities, SandboxSpec } from '../sandbox.ts';
import { compileBoundary, type Boundary } from './boundary.ts';
import { BubblewrapInstance } from './bubblewrap-instance.ts';
import { checkSpec } from './check-spec.ts';
import { readHostFacts } from './host-facts.ts';
import { probeBubblewrap, type Probe } from './probe.ts';
import { resolveMounts, type ResolvedMounts } from './resolve-mounts.ts';
import { seccompArchitecture } from './seccomp-program.ts';
import { stubFiles } from './stub-files.ts';

export interface BubblewrapOptions {
  /** The home folder: its runtime folder holds the session host's socket. */
  readonly home: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long the session host stays without sessions and clients; default 30. */
  readonly hostIdleSeconds?: number;
  /** One way to limit instead of the best that works. */
  readonly limits?: LimitKind;
}

const NO_MOUNTS: ResolvedMounts = { mounts: [], masks: [], interpreter: [], checks: [] };
const TRIAL_DISK_BYTES = 1024 * 1024;

/** The backend on Linux: bubblewrap around each command, started by the home's session host. */
export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox & AsyncDisposable {
  return new BubblewrapSandbox(options);
}

class BubblewrapSandbox implements Sandbox, AsyncDisposable {
  readonly id = 'bubblewrap';
  readonly #options: BubblewrapOptions;
  #probe: Probe | undefined;
  #host: Promise<HostClient> | undefined;

  constructor(options: BubblewrapOptions) {
    this.#options = options;
  }

  async capabilities(): Promise<SandboxCapabilities> {
    const { groupPrefix } = hostAddress(this.#options.home);
    const [probe, limiter] = await Promise.all([this.#tried(), chooseLimiter(groupPrefix, this.#options.limits)]);
    const limits = limiter.kind;
    const seccomp = seccompArchitecture(process.arch) !== undefined;
    const { usable, version } = probe;
    const said = probe.usable ? {} : { why: probe.why, hint: probe.hint };
    return { usable, version, limits, seccomp, ...said };
  }

  async create(spec: SandboxSpec): Promise<Instance> {
    checkSpec(spec);
    // The host takes its time to start, the probe too: both at once.
    const connecting = this.#connected();
    connecting.catch(() => undefined);
    const probe = await this.#tried();
    if (!probe.usable)
      throw new AssayError('sandbox_unavailable', 'bubblewrap does not work on this machine', {
        why: probe.why,
        hint: probe.hint,
      });
    const { runtimeDir } = hostAddress(this.#options.home);
    const boundary = compileBoundary(spec, resolveMounts(spec, runtimeDir), {
      facts: readHostFacts(),
      stubs: stubFiles(runtimeDir),
    });
    const host = await connecting;
    const { limits } = await host.call('status', {});
    return new BubblewrapInstance({
      home: this.#options.home,
      program: probe.program,
      spec,
      boundary,
      attestation: attest(spec, boundary, { version: probe.version, limits }),
      host: () => this.#connected(),
      logger: this.#options.logger,
    });
  }

  /** Closes the connection; the host and its sessions go on. */
  async [Symbol.asyncDispose](): Promise<void> {
    const host = await this.#host?.catch(() => undefined);
    host?.[Symbol.dispose]();
  }

  /** One living connection for all instances; a new one when the last was closed. */
  async #connected(): Promise<HostClient> {
    const last = await this.#host?.catch(() => undefined);
    if (last?.open === true) return last;
    const { home, hostIdleSeconds, limits } = this.#options;
    this.#host = ensureHost({
      home,
      ...(hostIdleSeconds === undefined ? {} : { idleSeconds: hostIdleSeconds }),
      ...(limits === undefined ? {} : { limits }),
    });
    return this.#host;
  }

  /** A success is kept: it costs a sandbox start. A failure is tried again, because people act on the hint. */
  async #tried(): Promise<Probe> {
    if (this.#probe?.usable === true) return this.#probe;
    const { runtimeDir } = hostAddress(this.#options.home);
    const parts = { facts: readHostFacts(), stubs: stubFiles(runtimeDir) };
    const trial = compileBoundary(
      { diskBytes: TRIAL_DISK_BYTES, readOnlyRoot: true, network: 'none' as const },
      NO_MOUNTS,
      parts,
    );
    this.#probe = await probeBubblewrap(trial.options);
    return this.#probe;
  }
}

function attest(
  spec: SandboxSpec,
  boundary: Boundary,
  host: { readonly version: string; readonly limits: LimitKind },
): Attestation {
  const contents = spec.mounts.flatMap(({ target, contentSha256 }) =>
    contentSha256 === undefined ? [] : [{ target, sha256: contentSha256 }],
  );
  return {
    backend: 'bubblewrap',
    version: host.version,
    ...(typeof spec.network === 'object'
      ? { network: 'allow' as const, allowedHosts: [...spec.network.allow] }
      : { network: spec.network }),
    limits: host.limits,
    seccomp: seccompArchitecture(process.arch) !== undefined,
    capabilities: 'none',
    userNamespace: true,
    boundarySha256: createHash('sha256').update(canonicalJson(boundary.options)).digest('hex'),
    ...(contents.length === 0 ? {} : { contents }),
  };
}
