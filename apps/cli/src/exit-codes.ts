/** What the command line ends with. Documented in docs/guide/command-line.md; never renumbered. */
export const exitCodes = {
  ok: 0,
  failedWork: 1,
  usage: 2,
  notConfigured: 3,
  canceled: 4,
  budget: 5,
} as const;
