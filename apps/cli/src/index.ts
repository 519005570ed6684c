export { main } from './cli.ts';
export type { Io, OutputStream } from './io.ts';
