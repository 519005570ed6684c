export { attachSession, type Attachment } from './attach-session.ts';
export { createBubblewrapSandbox, type BubblewrapOptions } from './bubblewrap/bubblewrap-sandbox.ts';
export type {
  EgressHost,
  EgressPolicy,
  EgressRecord,
  EgressSummary,
  HostCredential,
  UpstreamProxies,
} from '@assay/egress-proxy';
export { refuseShown, shownFolder } from './bubblewrap/shown-folder.ts';
export { stopSessionHost } from './ensure-host.ts';
export { listPythons } from './python/list-pythons.ts';
export { findPython } from './python/find-python.ts';
export type { PythonInterpreter } from './python/python-interpreter.ts';
export {
  sessionEnds,
  type ExecOptions,
  type Instance,
  type LimitKind,
  type Mount,
  type OutputStream,
  type Sandbox,
  type SandboxCapabilities,
  type SandboxCommand,
  type SandboxSpec,
  type Session,
  type SessionEnd,
  type SessionExit,
} from './sandbox.ts';
export { selfTest, type SelfTestResult } from './self-test.ts';
export { sessionFiles } from './session-files.ts';
export { sessionExitSchema, sessionMetaSchema, type SessionExitRecord, type SessionMeta } from './session-records.ts';
