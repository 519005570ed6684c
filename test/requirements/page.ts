import type { Requirement } from '../requirements.ts';

const source = 'spec: surfaces, the page';

export const pageRequirements = {
  'page.opens-by-link': {
    says: 'The page opens by a one-time link, keeps no code in the address, and without a token says how to get one.',
    source,
  },
  'page.watches-a-plan': {
    says: 'A plan started on the page is shown live to its end, with its tasks by role, what they read and gave.',
    source,
  },
  'page.number-opens-evidence': {
    says: 'A number opens its evidence, is recomputed on request, and a tampered file is told as a mismatch.',
    source,
  },
  'page.number-to-rows': {
    says: 'A number, or a cell of the confusion matrix, opens the very rows that it was computed from; changed files are told.',
    source: 'spec: surfaces, evidence',
  },
  'page.figures': {
    says: 'A report shows confusion, values by label, intervals, residuals, probes, pre-registration and signs of leakage.',
    source: 'spec: surfaces, evidence',
  },
  'page.exports': {
    says: 'Figures, tables, rows and reports are saved as files that name the plan, the date and the verified count.',
    source: 'spec: surfaces, evidence',
  },
  'page.compares-runs': {
    says: 'Two runs stand side by side with numbers, times, attempts and hashes; a stored comparison says what is better, with corrected intervals and proof.',
    source: 'spec: surfaces, the page',
  },
  'page.timeline': {
    says: 'Every attempt of every task is drawn over time and told in a table, with its end and why.',
    source: 'spec: surfaces, the page',
  },
  'page.survives-the-daemon': {
    says: 'When the daemon is killed the page says that it is cut off, and goes on by itself when it is back.',
    source,
  },
  'page.two-languages': {
    says: 'English and Chinese have the same texts, none is left untranslated, and the page shows no text of the other language.',
    source,
  },
  'page.fits': {
    says: 'No screen is wider than the window, also at 390 px, in both languages and both themes, and the browser has no complaint.',
    source,
  },
  'page.graph-layout': {
    says: 'Tasks stand in the lane of their role below all that they need, never two in one place.',
    source,
  },
  'page.one-box': {
    says: 'A sentence, a dropped file or a path becomes a benchmark in words, with what it will do and where it needs the network, before anything starts; another goal is told plainly not to be possible yet.',
    source,
  },
  'page.data-preview': {
    says: 'A data file is shown before a plan; target, inputs, split and reading are corrected there, and the plan runs with what was corrected.',
    source,
  },
  'page.sends-files': {
    says: 'A file is sent with progress, can be canceled, is refused with a reason when it is too large, and nothing is left of it then.',
    source,
  },
  'page.keeps-drafts': {
    says: 'What was typed, dropped and corrected is there again after a reload, until the plan has started.',
    source,
  },
  'page.accessible': {
    says: 'Every screen is free of serious accessibility findings.',
    source,
  },
  'page.task-inspector': {
    says: 'A task shows its log, what it reads and gives, its attempts with what was mended, and the boundary in words.',
    source,
  },
  'page.one-stream': {
    says: 'All windows of a browser share one stream, and those that stay go on when one is closed.',
    source,
  },
  'page.inbox': {
    says: 'Everything that waits for a person, over all plans, is approved, denied or answered in one place, and counted on the tab.',
    source,
  },
  'page.palette': {
    says: 'Ctrl/⌘-K finds screens, plans and quests by a few letters and runs what the open plan can do; keys lead to every screen.',
    source,
  },
  'page.settings': {
    says: 'Settings keep language, theme and density, show every setting of the daemon with where it is set, and secrets by name only.',
    source,
  },
  'page.checks': {
    says: 'Each check of the machine says what it is for, what was found, why and what to do, and can be run again.',
    source,
  },
} as const satisfies Record<string, Requirement>;
