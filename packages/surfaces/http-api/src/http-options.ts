import type { Caller, Engine } from '@assay/engine';
import type { Clock, Logger } from '@assay/foundation';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

export interface HttpApiOptions {
  readonly engine: Engine;
  /** The owner's token; every route but health requires it. */
  readonly token: string;
  /** Version of the program, for the OpenAPI document. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once a shutdown request has been answered. */
  readonly onShutdown: () => void;
  /** Aborts when the server closes: ends all streams. */
  readonly signal: AbortSignal;
  /** Address of the page for links, such as `http://127.0.0.1:4870`; known once the server listens. */
  readonly pageUrl: () => string;
  /** Folder of the built page; without one only the interface is served. */
  readonly pageDir?: string | undefined;
  /** Origins that may call besides the daemon's own address, such as `http://localhost:5173` while developing. */
  readonly allowedOrigins?: readonly string[];
}

/** Node's request and response are there when served by `serveHttp`, not when the app is called in process. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { caller: Caller };
}

export type HttpContext = Context<HttpEnv>;
