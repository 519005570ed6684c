import { dirname, join, relative } from 'node:path';
import { AssayError } from '@assay/foundation';
import { answerFacts, type AnswerFacts } from '@assay/adapter-generator';
import { openOutput } from '@assay/evaluation';
import type { AdapterOutput } from './benchmark-run.ts';
import type { TaskContext } from './task-type.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** What an adapter of ours told of its answers in a preflight. Throws `output_*` like every other output. */
export async function readAnswers(context: TaskContext, output: AdapterOutput): Promise<AnswerFacts> {
  const root = dirname(output.outputDir);
  const file = join(output.outputDir, 'checks.json');
  await using opened = await openOutput(root, relative(root, file), { maxBytes: MAX_BYTES });
  const blocks: Buffer[] = [];
  for await (const block of opened.blocks(context.signal)) blocks.push(Buffer.from(block));
  const parsed = answerFacts.safeParse(parsedJson(Buffer.concat(blocks).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new AssayError('output_malformed', 'checks.json is not what the adapter writes', {
    why: 'something else wrote it',
    hint: 'the repository must not write into the output folder',
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
