/** Where the way out of a session stands inside. */
export const bridgeInside = {
  folder: '/run/assay',
  program: '/run/assay/network-bridge.py',
  socket: '/run/assay/network.sock',
} as const;

/** Stands in the attested boundary for the path of the session's own socket, which differs each time. */
export const PROXY_SOCKET = '@network-socket@';

/** What the bridge says on its first connection, before it becomes the command; anything after it is why it could not. */
export const BRIDGE_READY = 'assay-bridge/1\n';
