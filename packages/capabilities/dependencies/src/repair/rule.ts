import type { Diagnosis, DiagnosisKind, Step } from './diagnosis.ts';

export type Facts = Partial<Pick<Diagnosis, 'package' | 'requirement' | 'subject' | 'list'>>;

/** One kind of failure and how pip, a build or Python shows it. */
export interface Rule {
  readonly kind: DiagnosisKind;
  /** Default: every step. */
  readonly steps?: readonly Step[];
  readonly pattern: RegExp;
  /** What the match says; undefined when it is not this kind after all. */
  readonly read?: (match: RegExpExecArray, text: string) => Facts | undefined;
}

export const subjectOf = (match: RegExpExecArray): Facts => ({ subject: match[1] ?? null });
