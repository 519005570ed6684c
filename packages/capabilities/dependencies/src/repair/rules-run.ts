import type { Rule } from './rule.ts';

/** Modules that Python itself had, and the version that no longer has them. */
export const removedModules: Readonly<Record<string, string>> = {
  binhex: '3.11',
  formatter: '3.10',
  parser: '3.10',
  symbol: '3.10',
  asynchat: '3.12',
  asyncore: '3.12',
  imp: '3.12',
  smtpd: '3.12',
  distutils: '3.12',
  aifc: '3.13',
  audioop: '3.13',
  cgi: '3.13',
  cgitb: '3.13',
  chunk: '3.13',
  crypt: '3.13',
  imghdr: '3.13',
  lib2to3: '3.13',
  mailcap: '3.13',
  nntplib: '3.13',
  pipes: '3.13',
  sndhdr: '3.13',
  sunau: '3.13',
  telnetlib: '3.13',
  uu: '3.13',
  xdrlib: '3.13',
};

/** Failures that show only when the installed packages are imported. */
export const runRules: readonly Rule[] = [
  {
    kind: 'numpy_abi',
    steps: ['run'],
    pattern:
      /A module that was compiled using NumPy 1\.x cannot be run in|numpy\.dtype size changed|numpy\.core\.multiarray failed to import|numpy\.ndarray size changed/,
    read: () => ({ package: 'numpy' }),
  },
  {
    kind: 'shared_library_missing',
    steps: ['run'],
    pattern: /(?:ImportError|OSError): (lib[\w.+-]+): cannot open shared object file/,
    read: (match) => ({ subject: match[1] ?? null }),
  },
  {
    kind: 'module_removed',
    steps: ['run'],
    pattern: /ModuleNotFoundError: No module named '(\w+)(?:\.[\w.]+)?'(?![^]*ModuleNotFoundError)/,
    read: (match) => (Object.hasOwn(removedModules, match[1] ?? '') ? { subject: match[1] ?? null } : undefined),
  },
  {
    kind: 'module_missing',
    steps: ['run'],
    pattern: /ModuleNotFoundError: No module named '(\w+)(?:\.[\w.]+)?'(?![^]*ModuleNotFoundError)/,
    read: (match) => ({ subject: match[1] ?? null }),
  },
  {
    kind: 'name_missing',
    steps: ['run'],
    pattern: /ImportError: cannot import name '(\w+)' from '([\w.]+)'/,
    read: (match) => ({ subject: `${match[2]}.${match[1]}` }),
  },
  {
    kind: 'syntax_too_new',
    steps: ['run'],
    pattern: /site-packages\/([\w-]+)[^\n]*, line \d+\n(?:[^\n]*\n){1,3}SyntaxError: invalid syntax/,
    read: (match) => ({ subject: match[1] ?? null }),
  },
];
