export { createHttpApi } from './http-api.ts';
export type { HttpApiOptions, HttpEnv } from './http-options.ts';
export { openApiDocument } from './openapi.ts';
export { DEFAULT_PORT, serveHttp, type HttpServer, type ServeOptions } from './serve.ts';
