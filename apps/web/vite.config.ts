import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The page: built into `dist`, or served for development at port 5173 beside a daemon at 4870. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  build: { target: 'es2023', sourcemap: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { host: '127.0.0.1', port: 5173, strictPort: true, proxy: { '/api': 'http://127.0.0.1:4870' } },
});
