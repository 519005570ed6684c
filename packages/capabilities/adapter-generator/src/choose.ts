import { AssayError } from '@assay/foundation';
import type { Candidate, Recognition } from './candidate.ts';

/** Below this a candidate is a guess, and a guess is not run. */
export const confidenceThreshold = 0.6;

/** A guess from here on is worth a question; below it is not known to be anything. */
const PLAUSIBLE = 0.3;
/** With more possible answers than these a question helps nobody. */
const MOST_OPTIONS = 5;

/** Two candidates of different objects that are this close are a choice that only a person can make. */
const TIE = 0.02;

/**
 * The candidate to run: the best one (of those that need no packages, when there are any), or the one that `wanted`
 * names (`module:Class.method`).
 * Throws `adapter_not_recognised`, with what was looked at and what would help, when there is none, or when the best is
 * a guess of too many. Throws `needs_clarification` with the candidates as options when several fit equally well, or when
 * there are only a few guesses.
 */
export function chooseCandidate(recognition: Recognition, options: { readonly wanted?: string } = {}): Candidate {
  if (options.wanted !== undefined) return named(recognition, options.wanted);
  const sure = recognition.candidates.filter((candidate) => candidate.confidence >= confidenceThreshold);
  const ready = sure.filter((candidate) => candidate.thirdPartyImports.length === 0);
  const candidates = ready.length > 0 ? ready : sure;
  const best = preferred(candidates);
  if (best === undefined) {
    const guesses = recognition.candidates.filter(({ confidence }) => confidence >= PLAUSIBLE);
    if (guesses.length === 0 || guesses.length > MOST_OPTIONS)
      throw nothingFound(recognition, recognition.candidates[0]);
    throw question(recognition, guesses, {
      what: 'Which of these predicts the target, if any?',
      why: `the best guess is ${guesses[0]?.entrypoint} with confidence ${guesses[0]?.confidence.toFixed(2)}, and ${confidenceThreshold.toFixed(2)} is needed`,
    });
  }
  const rival = candidates.find(
    (other) =>
      isCalled(other) === isCalled(best) &&
      ownerOf(other) !== ownerOf(best) &&
      best.confidence - other.confidence <= TIE,
  );
  if (rival === undefined) return best;
  const equal = candidates.filter((other) => best.confidence - other.confidence <= TIE);
  throw question(recognition, equal.slice(0, MOST_OPTIONS), {
    what: 'Several entry points fit equally well; which one is meant?',
    why: `${best.entrypoint} and ${rival.entrypoint} both fit (confidence ${best.confidence.toFixed(2)} and ${rival.confidence.toFixed(2)})`,
  });
}

/** A question that a person answers with one of the candidates, or with another entry point. */
function question(
  recognition: Recognition,
  options: readonly Candidate[],
  { what, why }: { readonly what: string; readonly why: string },
): AssayError {
  const [first] = options;
  return new AssayError('needs_clarification', what, {
    why,
    hint: `say which one: --entry ${first?.entrypoint ?? 'module:function'}`,
    details: {
      clarification: {
        question: `${what} ${why}. With --entry it is said from the start`,
        field: 'entrypoint',
        options: options.map((candidate) => ({ value: candidate.entrypoint, label: optionText(candidate) })),
        answer: null,
        open: true,
      },
      candidates: recognition.candidates.slice(0, 10),
      ...lookedAtDetails(recognition),
    },
  });
}

function optionText({ entrypoint, confidence, file, line, evidence }: Candidate): string {
  const [sign] = evidence;
  return `${entrypoint} (${file}:${line}, confidence ${confidence.toFixed(2)}${sign === undefined ? '' : `; ${sign}`})`;
}

/** Code that is called answers more exactly than a command line that prints: at equal confidence it goes first. */
function preferred(candidates: readonly Candidate[]): Candidate | undefined {
  const [best] = candidates;
  if (best === undefined || isCalled(best)) return best;
  return candidates.find((other) => isCalled(other) && best.confidence - other.confidence <= TIE) ?? best;
}

function isCalled({ kind }: Candidate): boolean {
  return kind !== 'command';
}

function named(recognition: Recognition, wanted: string): Candidate {
  const found = recognition.candidates.find((candidate) => candidate.entrypoint === wanted);
  if (found !== undefined) return found;
  const rejected = recognition.rejected.find((entry) => entry.entrypoint === wanted);
  throw new AssayError('adapter_not_recognised', `${wanted} cannot be used as the entry point`, {
    why: rejected?.reason ?? 'the scan found no prediction-like function or method of this name',
    hint: `name it as module:function or module:Class.method, or a command line as "cli:python -m package {input.csv}"; ${foundNames(recognition)}`,
    details: { candidates: recognition.candidates.slice(0, 10), ...lookedAtDetails(recognition) },
  });
}

/** What a person could have meant, the likeliest first. */
function foundNames({ candidates }: Recognition): string {
  if (candidates.length === 0) return 'the scan found no entry point that could be used';
  const names = candidates.slice(0, 5).map(({ entrypoint }) => entrypoint);
  const more = candidates.length > names.length ? ` and ${candidates.length - names.length} more` : '';
  return `found here: ${names.join(', ')}${more}`;
}

function nothingFound(recognition: Recognition, best: Candidate | undefined): AssayError {
  return new AssayError('adapter_not_recognised', 'no entry point for predictions was recognised', {
    why:
      best === undefined
        ? whyNothing(recognition)
        : `the best guess is ${best.entrypoint} with confidence ${best.confidence.toFixed(2)}, and ${confidenceThreshold.toFixed(2)} is needed`,
    hint:
      best === undefined
        ? 'what would help: a function such as predict(row) or classify(text), a class with fit(rows, labels) and predict(rows), or a command that reads a file and prints one answer a line; when there is one under another name, say so: --entry module:function, --entry module:Class.method or --entry "cli:python -m package command {input.csv}"; with --input you say which columns it may see'
        : `when it is the right one, say so: --entry ${best.entrypoint}; when the target is a quantity and not a label, or the other way round, say --task`,
    details: { candidates: recognition.candidates.slice(0, 10), ...lookedAtDetails(recognition) },
  });
}

function whyNothing({ lookedAt, rejected }: Recognition): string {
  const looked = `${lookedAt.files} Python files with ${lookedAt.functions} functions and ${lookedAt.classes} classes, ${lookedAt.commands} command lines and ${lookedAt.savedModels} saved models were looked at`;
  const unread = lookedAt.unreadable
    .slice(0, 5)
    .map(({ path, reason }) => `${path}: ${reason}`)
    .join('; ');
  if (lookedAt.files + lookedAt.savedModels + lookedAt.unreadable.length === 0)
    return 'the repository holds no Python code';
  if (lookedAt.unreadable.length > 0 && lookedAt.functions + lookedAt.classes + lookedAt.commands === 0)
    return `no code could be read: ${unread}`;
  const missed = lookedAt.unreadable.length === 0 ? '' : `; not read: ${unread}`;
  if (rejected.length === 0)
    return `${looked}; none is named like a prediction (predict, classify, label, score, estimate …)${missed}`;
  const reasons = rejected.slice(0, 5).map(({ entrypoint, reason }) => `${entrypoint}: ${reason}`);
  return `${looked}; not usable: ${reasons.join('; ')}${missed}`;
}

function lookedAtDetails({ lookedAt, rejected }: Recognition) {
  return { lookedAt, rejected: rejected.slice(0, 20) };
}

function ownerOf(candidate: Candidate): string {
  return candidate.kind === 'saved_model' ? candidate.file : `${candidate.module}:${candidate.owner ?? ''}`;
}
