import type { CodeIndex, ResolvedClass } from './code-index.ts';
import { requiredParams } from './infer-shape.ts';

/** Why an instance cannot be made without arguments; undefined when it can. */
export function whyNotConstructible(index: CodeIndex, owner: ResolvedClass): string | undefined {
  const { facts } = owner;
  if (facts.name.startsWith('_')) return 'its class is private';
  const lineage = index.lineage(owner);
  if (/^(Base|Abstract)|(Base|Abstract|Mixin|Interface|Protocol)$/.test(facts.name))
    return 'its class is a base for others';
  if (facts.bases.some((base) => /(Protocol|Enum|TypedDict|Exception|TestCase)$/.test(base)))
    return `its class is a ${facts.bases.join(', ')}`;
  const methods = index.methodsOf(owner);
  for (const [name, { method }] of methods)
    if (method.decorators.some((text) => /abstract(method|property)/.test(text)))
      return `its class leaves ${name} to subclasses`;
  const init = methods.get('__init__');
  const needed =
    init === undefined ? missingFields(lineage) : requiredParams(init.method, true).map((param) => param.name);
  return needed.length === 0 ? undefined : `its constructor needs ${needed.join(', ')}`;
}

/** Dataclasses and named tuples are made from their fields. */
function missingFields(lineage: readonly ResolvedClass[]): string[] {
  const makesInit = ({ facts }: ResolvedClass) =>
    facts.decorators.some((text) => /^(dataclasses\.)?dataclass|^attrs?\.|^define/.test(text)) ||
    facts.bases.some((base) => base.endsWith('NamedTuple'));
  return lineage
    .filter(makesInit)
    .flatMap(({ facts }) => facts.fields)
    .filter((field) => !field.hasDefault)
    .map((field) => field.name);
}
