import { AssayError } from '@assay/foundation';
import { readingOptions, type PlanInputs } from '@assay/contracts';
import { profileDataset, type ProfileOptions } from '@assay/evaluation';
import type { TaskType } from '../task-type.ts';

/** Streams the data file once; keeps a copy by hash when it is small enough, so that its numbers verify anywhere. */
export const datasetProfile: TaskType = {
  type: 'dataset_profile',
  codeVersion: 2,
  async run({ plan, artifacts, settings, signal, log }) {
    const path = dataPath(plan.inputs);
    const manifest = await profileDataset(path, { ...profileHints(plan.inputs), signal });
    for (const warning of manifest.warnings) log('warn', warning);
    const keptAs =
      manifest.size <= settings.keepDataBytes ? await artifacts.keepCopy(manifest.path, manifest.sha256) : null;
    if (keptAs === null)
      log(
        'info',
        `the data set is larger than ${settings.keepDataBytes} bytes and stays where it is; verification reads it there`,
      );
    return {
      outputs: { dataset_manifest: { type: 'dataset_manifest', value: manifest, metadata: { keptAs } } },
      summary: `${manifest.rowCount} rows, ${manifest.columns.length} columns, target ${manifest.targetColumn ?? 'none'} (${manifest.suggestedTask})`,
    };
  },
};

function dataPath(inputs: PlanInputs): string {
  if (inputs.data !== undefined) return inputs.data;
  throw new AssayError('dataset_missing', 'the plan names no data file', {
    hint: 'create the plan again with a data file: assay benchmark --repo … --data FILE',
  });
}

/** What the user said of the data; it is never guessed. */
export function profileHints(inputs: PlanInputs): ProfileOptions {
  const { target, input, task, group, time } = inputs;
  return { target, input, task, group, time, ...readingOptions.parse(inputs) };
}
