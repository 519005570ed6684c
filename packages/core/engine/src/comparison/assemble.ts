import type { ComparedPair, Comparison, Evidence } from '@assay/contracts';
import type { SubmissionComparison } from '@assay/evaluation';
import { verdictOf } from './conclude.ts';
import type { MeasuredPlan } from './gather-plans.ts';

type Proven = Comparison['candidates'][number]['metrics'][string];

/** The pairs of a comparison with the evidence of every number. `related` has one entry for each pair, in order. */
export function pairsWith(
  { differences, tests }: SubmissionComparison,
  evidence: readonly Evidence[],
  context: {
    readonly related: readonly Pick<ComparedPair, 'first' | 'second' | 'code' | 'files'>[];
    readonly direction: Comparison['direction'];
    readonly alpha: number;
  },
): ComparedPair[] {
  const byMetric = new Map(evidence.map((one) => [one.metric, one]));
  return context.related.map(({ first, second, code, files }) => {
    const proven = (recipe: string, metric: string) =>
      provenBy(byMetric.get(`${recipe}/${metric}/${first}/${second}`)!);
    const own = differences.filter((one) => one.first === first && one.second === second);
    const tested = tests.find((one) => one.first === first && one.second === second);
    const test: ComparedPair['test'] =
      tested === undefined
        ? null
        : {
            corrected: proven('corrected', tested.metric),
            levels: [tested.corrected.level, tested.simultaneous.level],
            simultaneous: proven('simultaneous', tested.metric),
            pBootstrap: proven('p_bootstrap', tested.metric),
            pHolm: proven('p_holm', tested.metric),
            firstOnly: proven('first_only', tested.metric),
            secondOnly: proven('second_only', tested.metric),
            pExact: proven('p_exact', tested.metric),
          };
    return {
      first,
      second,
      code,
      files: [...files],
      differences: Object.fromEntries(own.map(({ metric }) => [metric, proven('difference', metric)])),
      test,
      verdict: verdictOf({ code, test }, context.direction, context.alpha),
    };
  });
}

/** The plan's own numbers of the metrics that are compared. */
export function metricsOf({ metrics }: MeasuredPlan): Comparison['candidates'][number]['metrics'] {
  return Object.fromEntries(
    Object.entries(metrics.metrics).flatMap(([name, value]) => {
      const evidence = metrics.evidence[name];
      if (name.includes('/') || evidence === undefined) return [];
      const interval = metrics.intervals[name];
      return [[name, { value, evidence, ...(interval === undefined ? {} : { interval }) }]];
    }),
  );
}

function provenBy({ id, value, ci }: Evidence): Proven {
  return { value, evidence: id, ...(ci === undefined ? {} : { interval: [ci.low, ci.high] as [number, number] }) };
}

/** Every evidence record that a comparison cites: its own, and those of the plans. */
export function citedEvidence({ candidates, pairs }: Pick<Comparison, 'candidates' | 'pairs'>): string[] {
  return [...provenNumbers({ candidates, pairs })].map(({ evidence }) => evidence);
}

/** Every number of a comparison with its evidence. */
export function provenNumbers({ candidates, pairs }: Pick<Comparison, 'candidates' | 'pairs'>): Proven[] {
  return [
    ...candidates.flatMap(({ metrics }) => Object.values(metrics)),
    ...pairs.flatMap(({ differences, test }) => {
      if (test === null) return Object.values(differences);
      const { levels: _, ...proven } = test;
      return [...Object.values(differences), ...Object.values(proven)];
    }),
  ];
}
