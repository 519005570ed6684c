import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './cli.ts';

/** A place in the source where an AssayError with a code of its own is made. */
export interface ErrorSite {
  readonly at: string;
  readonly code: string;
  readonly message: string;
  readonly why: string | undefined;
  readonly hint: string | undefined;
}

/**
 * Every AssayError that the sources make, read from their syntax trees; what is only known at run time stands as "…".
 * Left out are places that hand on an error with the code, or all options, that they were given.
 */
export function errorSites(): ErrorSite[] {
  return sourceFiles().flatMap((path) => {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const found: ErrorSite[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText(file) === 'AssayError') {
        const site = siteOf(node, file);
        if (site !== undefined) found.push(site);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

/** The codes that some source names as a text of its own, outside of the list of codes. */
export function namedCodes(codes: readonly string[]): Set<string> {
  const text = sourceFiles()
    .filter((path) => !path.endsWith('contracts/src/errors.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  return new Set(codes.filter((code) => text.includes(`'${code}'`)));
}

/** The sources of the program; the page and the client only show errors. */
function sourceFiles(): string[] {
  return ['packages', 'apps/cli', 'apps/daemon']
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /\/src\//.test(path) && !/\/(node_modules|client)\//.test(path));
}

function siteOf(node: ts.NewExpression, file: ts.SourceFile): ErrorSite | undefined {
  const [code, message, options] = node.arguments ?? [];
  if (code === undefined || message === undefined || !ts.isStringLiteral(code)) return undefined;
  if (options !== undefined && !ts.isObjectLiteralExpression(options)) return undefined;
  const members = new Map<string, string>();
  for (const member of options?.properties ?? []) {
    if (ts.isSpreadAssignment(member)) return undefined;
    const value = ts.isPropertyAssignment(member) ? textOf(member.initializer) : '…';
    members.set(member.name.getText(file), value);
  }
  const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  return {
    at: `${relative(root, file.fileName)}:${line}`,
    code: code.text,
    message: textOf(message),
    why: members.get('why'),
    hint: members.get('hint'),
  };
}

function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '…';
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}
