/** Why the proxy does not, or cannot, connect. The text is shown to whoever asked and stands in the log. */
export class Refusal extends Error {
  readonly verdict: 'refused' | 'failed';
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(verdict: 'refused' | 'failed', status: number, message: string) {
    super(message);
    this.verdict = verdict;
    this.status = status;
  }
}

export function refused(message: string, status = 403): Refusal {
  return new Refusal('refused', status, message);
}

export function failed(message: string, status = 502): Refusal {
  return new Refusal('failed', status, message);
}
