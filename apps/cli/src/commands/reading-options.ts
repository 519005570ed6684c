import { dataEncodings, readingOptions, type DataEncoding, type PlanInputs } from '@assay/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { nameList } from '../option-values.ts';

/** What the command line says of how a data file is to be read. */
export interface ReadingFlags {
  readonly member?: string;
  readonly encoding?: DataEncoding;
  readonly onBadBytes?: 'refuse' | 'drop-rows';
  readonly delimiter?: string;
  readonly quote?: '"' | "'" | 'none';
  readonly decimal?: '.' | ',';
  readonly thousands?: NonNullable<PlanInputs['thousands']>;
  /** Undefined unless --header or --no-header was said. */
  readonly header?: boolean;
  readonly comment?: string;
  readonly onRagged?: 'refuse' | 'drop-rows';
  readonly missing?: string[];
}

/** Adds the options that say how a data file is read; each is found by looking when it is left out. */
export function readingOptionsOf(command: Command): Command {
  return command
    .option('--member <name>', 'which file of a ZIP archive with several is read')
    .addOption(new Option('--encoding <name>', 'how its text is encoded').choices(dataEncodings))
    .addOption(
      new Option('--on-bad-bytes <what>', 'rows that cannot be decoded: refuse the file, or leave them out').choices([
        'refuse',
        'drop-rows',
      ]),
    )
    .option('--delimiter <character>', 'what separates cells; tab for a tab', delimiter)
    .addOption(new Option('--quote <character>', 'what stands around cells').choices(['"', "'", 'none']))
    .addOption(new Option('--decimal <mark>', 'the decimal mark of its numbers').choices(['.', ',']))
    .addOption(
      new Option('--thousands <mark>', 'what stands between groups of three digits').choices([',', '.', ' ', "'", '_']),
    )
    .option('--header', 'the first row holds the names of the columns, whatever it looks like')
    .option('--no-header', 'the first row is data; columns are called column_1, column_2, …')
    .option('--comment <character>', 'lines that begin with it are no rows', character)
    .addOption(
      new Option(
        '--on-ragged <what>',
        'rows with other cells than the header: refuse the file, or leave them out',
      ).choices(['refuse', 'drop-rows']),
    )
    .option('--missing <texts>', 'texts that mean that a value is missing, with commas between them', nameList);
}

export function readingInputs(flags: ReadingFlags): PlanInputs {
  const { header, ...rest } = flags;
  return readingOptions.parse({ ...rest, ...(header === undefined ? {} : { header: header ? 'present' : 'absent' }) });
}

function delimiter(text: string): string {
  return character(text === 'tab' || text === '\\t' ? '\t' : text);
}

function character(text: string): string {
  if (/^[\t\x20\x21\x23-\x7e]$/.test(text)) return text;
  throw new InvalidArgumentError('It must be one ASCII character and no quote.');
}
