import { AssayError } from '@assay/foundation';
import { chooseInterpreter, dependencySpecSchema, type DependencySpec } from '@assay/dependencies';
import { findPython, type PythonInterpreter } from '@assay/sandbox';
import { valueOf } from '../benchmark-values.ts';
import { markerValues } from '../marker-values.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

/** Chooses the interpreter and proves, by running it there, that the sandbox which will hold the run works. */
export const prepareRuntime: TaskType = {
  type: 'prepare_runtime',
  codeVersion: 2,
  async run(context) {
    const spec = valueOf(dependencySpecSchema, await context.input('dependency_spec'));
    const { interpreter, why } = await chosen(context, spec);
    const { markers, attestation } = await markerValues(context, interpreter);
    const version = markers.python_full_version;
    return {
      outputs: {
        runtime_session: {
          type: 'json',
          value: {
            interpreter,
            version,
            why,
            markers,
            attestation,
            capabilities: await context.sandbox.capabilities(),
          },
        },
      },
      summary: `Python ${version} (${why}) in ${attestation.backend}, network ${attestation.network}, limits by ${attestation.limits}`,
    };
  },
};

/** What the repository demands that a version does not meet. */
function contradiction({ requiresPython }: DependencySpec, version: string): string | undefined {
  const broken = requiresPython.filter(
    (demand) => !demand.isPreference && 'missing' in chooseInterpreter([demand], [{ version }]),
  );
  if (broken.length === 0) return undefined;
  return `although ${broken.map(({ specifier, origin }) => `${origin.file}:${origin.line} demands ${specifier}`).join(' and ')}`;
}

async function chosen(
  context: TaskContext,
  spec: DependencySpec,
): Promise<{ readonly interpreter: PythonInterpreter; readonly why: string }> {
  const { python: named } = context.plan.inputs;
  if (named !== undefined) {
    const interpreter = await findPython(named);
    const against = contradiction(spec, interpreter.version);
    // Ranges are often more careful than the code needs; whoever names a Python has decided, and is told before the install.
    if (against !== undefined) context.log('warn', `Python ${interpreter.version} was named with --python, ${against}`);
    return { interpreter, why: ['it was named with --python', ...(against === undefined ? [] : [against])].join(', ') };
  }
  const usual = await context.python();
  const first = chooseInterpreter(spec.requiresPython, [usual], { preferred: usual });
  const wishes = spec.requiresPython.some(({ isPreference }) => isPreference) && spec.requirements.length > 0;
  // The others are looked for only when the usual one does not serve: it takes a second.
  if (!('missing' in first) && !wishes) return first;
  const found = await context.pythons();
  const pythons = found.some(({ executable }) => executable === usual.executable) ? found : [usual, ...found];
  const choice = chooseInterpreter(spec.requiresPython, pythons, { preferred: usual });
  if (!('missing' in choice)) return choice;
  const { missing } = choice;
  const demand = spec.requiresPython.find(({ isPreference }) => !isPreference);
  throw new AssayError(
    'interpreter_missing',
    missing.version === null ? 'no version of Python fits this repository' : `Python ${missing.version} is needed`,
    {
      why: `${demand === undefined ? 'the repository' : `${demand.origin.file}:${demand.origin.line}`} demands ${missing.demands.join(' and ')}; this machine has ${missing.found.join(', ')}`,
      hint: missing.hint,
      isFinal: true,
    },
  );
}
