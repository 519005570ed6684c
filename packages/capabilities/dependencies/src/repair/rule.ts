import type { Diagnosis, DiagnosisKind, Step } from './diagnosis.ts';

export type Facts = Partial<Pick<Diagnosis, 'package' | 'requirement' | 'subject' | 'list'>>;

/** One kind of failure and how pip, a build or Python shows it. */
export interface Rule {
  readonly kind: DiagnosisKind;
  /** Default: every step. */
  readonly steps?: readonly Step[];
  readonly pattern: RegExp;
  /** Where it is looked for: in pip's own lines, or also in what programs of packages printed. Default: in pip's own lines. */
  readonly where?: 'own' | 'whole';
  /** What the match says; undefined when it is not this kind after all. `own` is what pip itself printed. */
  readonly read?: (match: RegExpExecArray, own: string) => Facts | undefined;
}

export const subjectOf = (match: RegExpExecArray): Facts => ({ subject: match[1] ?? null });
