import type { SendWithProgress } from '@assay/client';

/** A request that tells how much of its body is sent; `fetch` does not. */
export const sendWithProgress: SendWithProgress = (url, init, onProgress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const { signal } = init;
    const stop = () => request.abort();
    const fail = () => reject((signal?.reason as Error | undefined) ?? new TypeError('the connection is gone'));
    request.open(init.method ?? 'POST', url);
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }));
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) fail();
    else request.send(init.body as FormData);
  });
