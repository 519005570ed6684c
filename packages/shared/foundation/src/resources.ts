/** Closes what was opened, newest first, also when one of them fails to close; the first failure is thrown at the end. */
export class Resources implements AsyncDisposable {
  readonly #closers: (() => unknown)[] = [];

  /** Takes over a resource and gives it back for use. */
  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    this.#closers.push(() =>
      Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : resource[Symbol.dispose](),
    );
    return resource;
  }

  /** Runs `work` when everything that is opened later has been closed. */
  defer(work: () => unknown): void {
    this.#closers.push(work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }
}
