export { chooseInterpreter, type InterpreterChoice, type MissingPython } from './choose-interpreter.ts';
export { type ReadText } from './declared.ts';
export { dependencySpecSchema, type DependencySpec, type RequiresPython } from './dependency-spec.ts';
export { markerHolds, type MarkerEnvironment } from './marker.ts';
export { parseSetupFacts, type SetupFacts } from './readers/setup-py.ts';
export { requirementText, type Requirement } from './requirement.ts';
export { resolveSpec, type ResolveOptions } from './resolve.ts';
export { decodeText } from './text.ts';
