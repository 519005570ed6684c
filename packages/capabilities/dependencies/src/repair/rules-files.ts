import type { Rule } from './rule.ts';
import { subjectOf } from './rule.ts';

/** What was asked for cannot be read, or names something that is not there. */
export const fileRules: readonly Rule[] = [
  {
    kind: 'local_path_missing',
    pattern: /Invalid requirement: '([^']+)'[^]{0,200}?Hint: It looks like a path\./,
    read: subjectOf,
  },
  { kind: 'local_path_missing', pattern: /ERROR: (\S+) is not a valid editable requirement/, read: subjectOf },
  {
    kind: 'local_path_missing',
    pattern: /Could not install packages due to an OSError: \[Errno 2\] No such file or directory: '([^']+)'/,
    read: subjectOf,
  },
  { kind: 'not_a_project', pattern: /Directory '([^']+)' is not installable/, read: subjectOf },
  { kind: 'file_missing', pattern: /Could not open requirements file: [^\n]*'([^']+)'/, read: subjectOf },
  { kind: 'file_cycle', pattern: /recursively references itself|RecursionError: maximum recursion depth/ },
  { kind: 'file_encoding', pattern: /req_file\.py[^]*UnicodeDecodeError: ([^\n]*)/, read: subjectOf },
  { kind: 'invalid_option', pattern: /error: no such option: (\S+)/, read: subjectOf },
  { kind: 'invalid_line', pattern: /Invalid requirement: '([^']*)'/, read: subjectOf },
  { kind: 'git_needed', pattern: /Cannot find command 'git'/ },
  {
    kind: 'git_needed',
    pattern: /git (?:clone|fetch)[^\n]*?(https?:\/\/\S+|ssh:\/\/\S+|git@\S+)[^\n]*did not run successfully/,
    read: subjectOf,
  },
];
