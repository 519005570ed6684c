// npm run pictures: runs the demo, draws what it printed as docs/images/demo.svg and photographs the page. Nothing in a
// picture is typed in.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pagePictures } from './page-pictures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const FONT = 13;
const LINE = 19;
const CHARACTER = 7.83; // advance of the monospaced fonts below at 13 px
const MARGIN = 18;
const colours = { 31: '#f47067', 32: '#57ab5a', 33: '#c69026', 36: '#39c5cf', 90: '#768390' };

const ESC = String.fromCharCode(27);
const SEQUENCE = new RegExp(`(${ESC}\\[[\\d;]*m)`);

const run = spawnSync(process.execPath, [join(root, 'bin/assay.mjs'), 'demo'], {
  cwd: root,
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) throw new Error(`the demo ended with exit code ${run.status}`);
const shown = run.stdout.replaceAll(root, '').replace(/\n+$/, '');
mkdirSync(join(root, 'docs/images'), { recursive: true });
writeFileSync(join(root, 'docs/images/demo.svg'), draw(`${ESC}[90m$${ESC}[39m npm run demo\n${shown}`));
await pagePictures(root, join(root, 'docs/images'));

function draw(text) {
  const lines = text.split('\n').map(spans);
  const longest = Math.max(...lines.map((line) => line.reduce((sum, span) => sum + span.text.length, 0)));
  const width = Math.ceil(longest * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map(
    (line, i) => `<text x="${MARGIN}" y="${MARGIN + (i + 0.75) * LINE}">${line.map(tspan).join('')}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${FONT}" fill="#adbac7" xml:space="preserve">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1c2128"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

/** Splits a line at its colour sequences; every other escape sequence is an error, because it would not be drawn. */
function spans(line) {
  const found = [];
  let style = {};
  for (const part of line.split(SEQUENCE)) {
    if (!SEQUENCE.test(part)) {
      if (part.includes(ESC)) throw new Error(`a sequence that cannot be drawn: ${JSON.stringify(part)}`);
      if (part !== '') found.push({ text: part, ...style });
    } else for (const code of part.slice(2, -1).split(';').map(Number)) style = styled(style, code);
  }
  return found;
}

function styled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, colour: colours[90] };
  if (code === 22) return { colour: style.colour === colours[90] ? undefined : style.colour };
  if (code === 39) return { bold: style.bold };
  return { ...style, colour: colours[code] ?? style.colour };
}

function tspan({ text, colour, bold }) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const fill = colour === undefined ? '' : ` fill="${colour}"`;
  return `<tspan${fill}${bold ? ' font-weight="bold"' : ''}>${escaped}</tspan>`;
}
