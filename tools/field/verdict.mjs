/**
 * What a run says of the generator:
 * - `hit`: it ended with the entry point that a person would choose, and every number was verified;
 * - `wrong choice`: it ended with another one, or it ended where it had to be refused;
 * - `question`: it named what a person has to decide, and that was right;
 * - `honest refusal`: nothing was run, and it said why;
 * - `failure`: the right entry point was found and could not be run.
 */
export function judge(one, { result, seconds }) {
  const { error = null, entrypoint = null, verified } = result;
  const base = { seconds, entrypoint, verified: verified ?? null, reason: null, metric: null };
  if (result.status === 'completed') {
    const isRight = one.refuse === undefined && one.entry.some((pattern) => pattern.test(entrypoint));
    const isVerified = verified.total > 0 && verified.ok === verified.total;
    return {
      ...base,
      verdict: isRight && isVerified ? 'hit' : 'wrong choice',
      ...metricOf(result),
      map: result.labels?.map ?? null,
    };
  }
  const reason = [error?.message, error?.why].filter(Boolean).join(': ').replaceAll('\n', ' ').slice(0, 400);
  return { ...base, verdict: verdictOf(error, one), code: error?.code ?? null, reason };
}

function verdictOf(error, one) {
  if (error?.code === 'needs_clarification') return 'question';
  if ((error?.message ?? '').startsWith('several entry points fit')) return 'question';
  if (['adapter_not_recognised', 'repository_no_code'].includes(error?.code)) return 'honest refusal';
  return one.refuse === undefined ? 'failure' : 'honest refusal';
}

function metricOf({ metrics, intervals }) {
  const name = ['accuracy', 'r2'].find((key) => typeof metrics[key] === 'number');
  if (name === undefined) return {};
  return { metric: name, value: metrics[name], interval: intervals[name] ?? null };
}
