/** What reads a home's files without a daemon; loaded on use, because most commands do not read them. */
export function offline(): Promise<typeof import('@assay/engine/offline')> {
  return import('@assay/engine/offline');
}
