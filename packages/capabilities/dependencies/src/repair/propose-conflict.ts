import { normaliseName, type Requirement } from '../requirement.ts';
import type { Change, Proposal } from './install-state.ts';
import { change, placeOf, stop, wasTried, type Case } from './proposals.ts';

/** Who wants what, as pip tells it: `The user requested alpha==1.0`, `beta 1.0 depends on alpha>=2`. */
interface Party {
  /** The package that wants it, or null for the requirements themselves. */
  readonly by: string | null;
  readonly wants: string;
}

/**
 * A version that the requirements pin and another package refuses is released, for pip to choose; two packages that
 * refuse each other's needs are released one after the other.
 */
export function proposeForConflict(found: Case): Proposal {
  const parties = found.diagnosis.list.flatMap(readParty);
  const { state } = found;
  const asked = parties.filter(({ by }) => by === null).map(({ wants }) => wants);
  const sameName = state.requirements.filter((one) => asked.includes(one.name));
  const twice = sameName.find((one) =>
    sameName.some((other) => other !== one && other.name === one.name && other.specifier !== one.specifier),
  );
  if (twice !== undefined) return contradiction(sameName.filter(({ name }) => name === twice.name));
  for (const name of [...asked, ...parties.flatMap(({ by }) => by ?? [])]) {
    const requirement = state.requirements.find((one) => one.name === name);
    if (requirement === undefined || requirement.specifier === '') continue;
    const made: Change = { kind: 'range', name, from: requirement.specifier, to: '' };
    if (!wasTried(state, made))
      return change(made, `the versions contradict each other: ${found.diagnosis.list.join('; ')}`);
  }
  return stop(
    'the required versions contradict each other',
    found.diagnosis.list.join('; '),
    'change one of these versions in the repository and start the plan again',
  );
}

function readParty(line: string): Party[] {
  const user = /^The user requested (?:\(constraint\) )?([A-Za-z0-9._-]+)/.exec(line);
  if (user !== null) return [{ by: null, wants: normaliseName(user[1] ?? '') }];
  const other = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])? \S+ depends on ([A-Za-z0-9._-]+)/.exec(line);
  return other === null ? [] : [{ by: normaliseName(other[1] ?? ''), wants: normaliseName(other[2] ?? '') }];
}

function contradiction(both: readonly Requirement[]): Proposal {
  const named = both.map((one) => placeOf(one, one.name)).join(' and ');
  const files = new Set(both.map(({ origin }) => origin.file));
  return stop(
    `${both[0]?.name ?? 'a package'} is required in two versions`,
    `${named} contradict each other`,
    `keep one of the lines in ${[...files].join(' or ')} and start the plan again`,
  );
}
