export { type SpaceUse } from './space.ts';
export {
  ENVIRONMENT_INSIDE,
  type EnvironmentFailure,
  type EnvironmentLimits,
  type EnvironmentOutcome,
  type EnvironmentReport,
  type EnvironmentRequest,
  type LockedPackage,
  type PythonEnvironment,
  type RunStep,
  type StepRequest,
  type StepResult,
} from './environment.ts';
export { describeInstaller } from './describe-installer.ts';
export { indexAccess, type IndexAccess } from './index-access.ts';
export { lockFileText } from './lock.ts';
export { readPipFacts, type PipFacts } from './pip-facts.ts';
export { pipSettings, type PipSettings } from './pip-settings.ts';
export {
  createPythonEnvironments,
  type PythonEnvironments,
  type PythonEnvironmentsOptions,
} from './python-environments.ts';
export { type SecretGrant } from './secret-grant.ts';
