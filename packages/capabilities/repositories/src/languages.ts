/** Programming languages by file ending, lower case, without the dot. */
const languageOfEnding: Readonly<Record<string, string>> = {
  py: 'Python',
  pyi: 'Python',
  pyx: 'Cython',
  ipynb: 'Jupyter Notebook',
  r: 'R',
  rmd: 'R',
  jl: 'Julia',
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  jsx: 'JavaScript',
  ts: 'TypeScript',
  mts: 'TypeScript',
  tsx: 'TypeScript',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  cu: 'CUDA',
  rs: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  scala: 'Scala',
  swift: 'Swift',
  cs: 'C#',
  rb: 'Ruby',
  php: 'PHP',
  pl: 'Perl',
  lua: 'Lua',
  m: 'MATLAB',
  f90: 'Fortran',
  hs: 'Haskell',
  ml: 'OCaml',
  sh: 'Shell',
  bash: 'Shell',
};

/** The programming language of a file by its name, or undefined for data, prose and configuration. */
export function languageOf(path: string): string | undefined {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return ending !== undefined && Object.hasOwn(languageOfEnding, ending) ? languageOfEnding[ending] : undefined;
}

/** True for code, and for a saved model, which can be benchmarked without any. */
export function canBeRun(path: string): boolean {
  return languageOf(path) !== undefined || /\.(joblib|pkl|pickle|skops)$/i.test(path);
}
