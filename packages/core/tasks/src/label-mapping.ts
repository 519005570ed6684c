import { AssayError } from '@assay/foundation';
import type { DatasetManifest } from '@assay/contracts';
import { parseLabelMap, unknownLabels, type LabelMapping, type SettledLabels } from '@assay/adapter-generator';
import type { TaskContext } from './task-type.ts';

/** The mapping that the person gave; throws `invalid_request` when it names a label that the data does not have. */
export function givenMapping(context: TaskContext, manifest: DatasetManifest): LabelMapping | undefined {
  const { map } = context.plan.inputs;
  return map === undefined ? undefined : checkedMapping(map, manifest);
}

/** A mapping as it is written behind `--map`, with labels that the data has. Throws `invalid_request`. */
export function checkedMapping(
  map: string,
  manifest: Pick<DatasetManifest, 'labels' | 'suggestedTask' | 'targetColumn'>,
): LabelMapping {
  if (manifest.suggestedTask === 'regression')
    throw new AssayError('invalid_request', 'labels are mapped, and the target is a number', {
      why: `the task is regression of ${manifest.targetColumn ?? 'nothing'}`,
      hint: 'leave --map out, or say --task classification',
    });
  const mapping = parseLabelMap(map);
  const labels = (manifest.labels ?? []).map(({ label }) => label);
  const unknown = unknownLabels(mapping, labels);
  if (unknown.length === 0) return mapping;
  throw new AssayError('invalid_request', `the data has no label ${JSON.stringify(unknown[0])}`, {
    why: `--map names ${unknown.map((label) => JSON.stringify(label)).join(', ')}; the labels are ${labels.slice(0, 20).join(', ')}`,
    hint: 'write each label as it stands in the data: --map answer=label',
  });
}

/** The question that a person must answer before the run can go on. The plan waits for it. */
export function labelQuestion(entrypoint: string, open: Extract<SettledLabels, { readonly is: 'open' }>): AssayError {
  const example = open.options[0]?.text ?? '0=first,1=second';
  const question = `What do the answers of ${entrypoint} mean? ${sentence(open.why)}`;
  return new AssayError('needs_clarification', question, {
    why: 'a mapping is never guessed: nothing in the repository says it, or several things do',
    hint: `say it with --map, such as --map ${example}`,
    details: {
      clarification: {
        question: `${question}. Say it as ${example}`,
        field: 'map',
        options: open.options.map(({ text, why }) => ({ value: text, label: `${text} (${why})` })),
        answer: null,
        open: true,
      },
    },
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
