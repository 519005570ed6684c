import { benchmarkSpec } from '../sandbox-specs.ts';
import { requireSuccess } from '../session-failure.ts';
import type { TaskType } from '../task-type.ts';

/** Chooses the interpreter and proves, by running it there, that the sandbox which will hold the run works. */
export const prepareRuntime: TaskType = {
  type: 'prepare_runtime',
  codeVersion: 1,
  async run(context) {
    const python = await context.python();
    const capabilities = await context.sandbox.capabilities();
    const session = await context.session('runtime-check', async () => ({
      spec: await benchmarkSpec(context, { mounts: [], timeoutSeconds: 60 }),
      argv: [python.executable, '-I', '-c', 'import sys; print(sys.version.split()[0], end="")'],
      cwd: '/tmp',
    }));
    await requireSuccess(session, `Python ${python.version} in the sandbox`, { code: 'sandbox_setup_failed' });
    const version = await session.output(100);
    return {
      outputs: {
        runtime_session: {
          type: 'json',
          value: { interpreter: python, version, attestation: session.attestation, capabilities },
        },
      },
      summary: `Python ${version} in ${session.attestation.backend}, network ${session.attestation.network}, limits by ${session.attestation.limits}`,
    };
  },
};
