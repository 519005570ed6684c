const rules: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(^|\/)(tests?|testing)\//i, 'is part of the tests'],
  [/(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/i, 'is part of the tests'],
  [
    /(^|\/)(vendor|vendored|_vendor|third_?party|external|extern|deps|node_modules)\//i,
    'is somebody else’s code that was copied in',
  ],
  [/(^|\/)(examples?|demos?|samples|tutorials?|notebooks?|docs?|playground)\//i, 'is an example or documentation'],
  [/(^|\/)(example|demo|tutorial)[^/]*\.py$|_(example|demo)\.py$/i, 'is an example or documentation'],
  [/(^|\/)(setup|noxfile|fabfile|tasks|manage|versioneer)\.py$/i, 'is packaging or project automation'],
  [/(^|\/)(build|dist|legacy|deprecated|attic|old)\//i, 'is built or retired code'],
  [
    /(^|\/)(metrics?|evaluation|evaluate|losses|plotting|visuali[sz]ation)\.py$/i,
    'is about measuring or drawing, not predicting',
  ],
];

/** Why code at this path is not what a repository offers to its users; undefined when nothing speaks against it. */
export function whyNotOffered(path: string): string | undefined {
  return rules.find(([pattern]) => pattern.test(path))?.[1];
}
