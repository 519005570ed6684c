import { main } from './cli.ts';
import { processIo } from './process-io.ts';

// A reader that closed its end (assay … | head) has what it wanted.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });

// Waiting between two attempts to connect holds no handle of its own; the command does.
const alive = setInterval(() => undefined, 1000);
process.exitCode = await main(process.argv.slice(2), processIo());
clearInterval(alive);
