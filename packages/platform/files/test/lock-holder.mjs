// Holds the lock of a home until it is killed: the abstract socket and the lock file, as the daemon does.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const [, , home, kind] = process.argv;
const built = await build({
  stdin: {
    contents: `export { acquireHomeLock } from ${JSON.stringify(fileURLToPath(new URL('../src/home-lock.ts', import.meta.url)))};`,
    resolveDir: fileURLToPath(new URL('..', import.meta.url)),
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  write: false,
});
const code = `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString('base64')}`;
const { acquireHomeLock } = await import(code);
try {
  await acquireHomeLock(home, { kind });
  console.log('held');
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
}
