import * as z from 'zod';
import { markerVariables, type MarkerEnvironment } from '@assay/dependencies';
import type { Attestation } from '@assay/contracts';
import type { PythonInterpreter } from '@assay/sandbox';
import { AssayError } from '@assay/foundation';
import { benchmarkSpec } from './sandbox-specs.ts';
import { requireSuccess } from './session-failure.ts';
import type { TaskContext } from './task-type.ts';

/** As PEP 508 defines each value. */
const QUESTION = `import json, os, platform, sys
info = sys.implementation.version
version = "%d.%d.%d" % info[:3]
if info.releaselevel != "final":
    version += info.releaselevel[0] + str(info.serial)
print(json.dumps({
    "implementation_name": sys.implementation.name,
    "implementation_version": version,
    "os_name": os.name,
    "platform_machine": platform.machine(),
    "platform_python_implementation": platform.python_implementation(),
    "platform_release": platform.release(),
    "platform_system": platform.system(),
    "platform_version": platform.version(),
    "python_full_version": platform.python_version(),
    "python_version": ".".join(platform.python_version_tuple()[:2]),
    "sys_platform": sys.platform,
}))`;

const answer = z.record(z.enum(markerVariables), z.string());

/** Asks an interpreter, inside the sandbox, for the values that conditions of requirements speak of. */
export async function markerValues(
  context: TaskContext,
  interpreter: PythonInterpreter,
): Promise<{ readonly markers: MarkerEnvironment; readonly attestation: Attestation }> {
  const session = await context.session(`runtime-check-${interpreter.version}`, async () => ({
    spec: await benchmarkSpec(context, { mounts: [], timeoutSeconds: 60, interpreter }),
    argv: [interpreter.executable, '-I', '-c', QUESTION],
    cwd: '/tmp',
  }));
  await requireSuccess(session, `Python ${interpreter.version} in the sandbox`, { code: 'sandbox_setup_failed' });
  const parsed = answer.safeParse(JSON.parse(await session.output(100_000)));
  if (parsed.success) return { markers: parsed.data, attestation: session.attestation };
  throw new AssayError('internal', `Python ${interpreter.version} answered something unexpected`, {
    cause: parsed.error,
  });
}
