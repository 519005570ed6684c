import { compareVersions, versionFits } from '../specifiers.ts';
import type { InstallState } from './install-state.ts';

/** The newest interpreter of this machine, not the one in use, that a wheel with one of these tags is made for. */
export function pythonWithWheel(tags: readonly string[], state: InstallState): string | undefined {
  const minors = new Set(tags.filter((tag) => isForMachine(tag, state.machine)).flatMap(minorOf));
  const usable = state.pythons.filter(
    (version) =>
      version !== state.python &&
      minors.has(version.split('.').slice(0, 2).join('.')) &&
      state.demands.every(({ specifier, isPreference }) => isPreference || versionFits(version, specifier)),
  );
  return [...usable].sort(compareVersions).at(-1);
}

/** `cp39-cp39-manylinux2014_x86_64` and `cp39-cp39-linux_x86_64` run on Linux; musl and other machines do not count. */
function isForMachine(tag: string, machine: string): boolean {
  const platform = tag.split('-').slice(2).join('-');
  return platform === 'any' || new RegExp(`(many)?linux[\\w.]*_${machine}$`).test(platform);
}

function minorOf(tag: string): string[] {
  const match = /^cp(\d)(\d+)-/.exec(tag);
  return match === null ? [] : [`${match[1]}.${match[2]}`];
}

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/win32|win_/, 'Windows'],
  [/macosx/, 'macOS'],
  [/linux/, 'other Linux machines or Pythons'],
];

/** What the wheels are for, in words. */
export function platformsOf(tags: readonly string[]): string {
  const found = systems.filter(([pattern]) => tags.some((tag) => pattern.test(tag))).map(([, name]) => name);
  return found.length === 0 ? 'other Pythons' : found.join(' and ');
}
