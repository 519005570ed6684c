/** The file names inside a session's folder. Apart from the schemas, so that the session host stays small. */
export const sessionFiles = {
  meta: 'meta.json',
  exit: 'exit.json',
  output: 'output.log',
  stderr: 'stderr.log',
  /** Lines `<milliseconds since start> <bytes of output.log>`, at most one per 50 ms. */
  index: 'output.idx',
  /** One JSON line per connection, where the network allowed hosts. */
  network: 'network.jsonl',
} as const;
