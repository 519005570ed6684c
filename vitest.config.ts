import { defineConfig } from 'vitest/config';

/**
 * Suites are told apart by the ending of the file: `*.property.test.ts`, `*.integration.test.ts` … `install` makes
 * environments of packages from an index of its own, `hostile` runs code that turns against the harness.
 */
const kinds = ['property', 'integration', 'install', 'hostile', 'crash', 'e2e', 'page'] as const;
const every = ['packages/*/*/test', 'apps/*/test', 'testkit/test', 'bench/test', 'test', 'tools/test'];

function filesOf(ending: string): string[] {
  return every.map((folder) => `${folder}/**/*${ending}`);
}

function suite(name: string, include: string[], exclude: string[], testTimeout: number) {
  return {
    extends: true as const,
    test: { name, include, exclude: ['**/node_modules/**', ...exclude], testTimeout, hookTimeout: 60_000 },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['./tools/vitest-setup.mjs'],
    pool: 'forks',
    projects: [
      suite(
        'unit',
        filesOf('.test.ts'),
        kinds.flatMap((kind) => filesOf(`.${kind}.test.ts`)),
        10_000,
      ),
      ...kinds.map((kind) => suite(kind, filesOf(`.${kind}.test.ts`), [], kind === 'property' ? 120_000 : 180_000)),
    ],
  },
});
