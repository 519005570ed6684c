import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanInputs } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { connect } from '../daemon/connect.ts';
import { demoHome } from '../daemon/home-paths.ts';
import { runBenchmark, type BenchmarkRequest } from '../plan/run-benchmark.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly regression?: boolean;
}

interface Example {
  readonly repository: string;
  readonly data: string;
  readonly target: string;
  readonly task: NonNullable<PlanInputs['task']>;
}

/** The examples that come with Assay, by their folders below `examples/`. */
export const demoExamples: Readonly<Record<'classification' | 'regression', Example>> = {
  classification: {
    repository: 'penguins-classifier',
    data: 'penguins/penguins.csv',
    target: 'species',
    task: 'classification',
  },
  regression: {
    repository: 'ridge-regression',
    data: 'diabetes/diabetes.csv',
    target: 'progression',
    task: 'regression',
  },
};

export const demoCommand: AddCommand = (program, session) => {
  jsonOption(program.command('demo'))
    .description('benchmark a small model on real data that comes with Assay, in a home of its own')
    .option('--regression', 'the second example: predict a number')
    .addHelpText('after', examples(['assay demo', 'assay demo --regression', 'npm run -s demo -- --json']))
    .action((options: Options) => runBenchmark(session, () => openDemo(session, options)));
};

async function openDemo(session: Session, options: Options): Promise<BenchmarkRequest> {
  const root = exampleRoot(session);
  const home = demoHome(session.io.env, root);
  const example = demoExamples[options.regression === true ? 'regression' : 'classification'];
  const folder = join(root, 'examples');
  const inputs: PlanInputs = {
    repository: join(folder, example.repository),
    data: join(folder, example.data),
    target: example.target,
    task: example.task,
  };
  return { client: await connect(session, home), inputs, title: `Demo: ${example.repository}`, home };
}

/** The folder that holds `examples/`: bin/assay.mjs names it. */
function exampleRoot(session: Session): string {
  const root = session.io.env['ASSAY_ROOT'];
  if (root !== undefined && existsSync(join(root, 'examples'))) return root;
  throw new AssayError('not_configured', 'the examples of the demo are missing', {
    why: root === undefined ? 'ASSAY_ROOT is not set' : `there is no folder ${join(root, 'examples')}`,
    hint: 'run "npm run demo" in a clone of Assay, or "assay benchmark" on data of your own',
  });
}
