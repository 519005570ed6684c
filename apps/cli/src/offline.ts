/** What reads a home's files without a daemon; loaded on use, because most commands do not read them. */
export const offline = () => import('@assay/engine/offline');
