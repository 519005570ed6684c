import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cli.ts';

/** A block of commands that the guide lets its reader type, and what it says that they print. */
export interface GuideBlock {
  readonly commands: string;
  readonly exit: number;
  /** Lines of which each must be printed; "…" stands for anything. */
  readonly shown: readonly string[];
}

/** The documents for users, by their path below the root. */
export function userPages(): Map<string, string> {
  const guide = readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`);
  const paths = ['README.md', 'README.zh-CN.md', ...guide.filter((path) => path.endsWith('.md')).sort()];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const RUN = /<!-- run(?: exit=(\d))? -->\n\n```sh\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/g;

/** The blocks of a page that stand behind `<!-- run -->` or `<!-- run exit=N -->`. */
export function guideBlocks(page: string): GuideBlock[] {
  return [...page.matchAll(RUN)].map(([, exit = '0', commands = '', shown = '']) => ({
    commands,
    exit: Number(exit),
    shown: shown.split('\n').filter((line) => line.trim() !== ''),
  }));
}

/** True when one of the printed lines is the shown one. */
export function isPrinted(shown: string, printed: string): boolean {
  const words = shown.trim().split(/\s+/);
  const pattern = words.map((word) => word.split('…').map(escaped).join('.*')).join('\\s+');
  return new RegExp(`^\\s*${pattern}\\s*$`, 'm').test(printed);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Every line of a fenced block and every inline code of a page. */
export function codeOf(page: string): { readonly lines: string[]; readonly inline: string[] } {
  const lines: string[] = [];
  const prose = page.replace(/^```(\w*)\n([^]*?)^```$/gm, (_, kind: string, body: string) => {
    if (kind !== 'text') lines.push(...body.split('\n'));
    return '';
  });
  return { lines, inline: [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' ')) };
}
