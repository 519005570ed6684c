/** Neumaier's compensated summation: the rounding error does not grow with the number of terms. */
export class CompensatedSum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const next = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum;
    this.#sum = next;
  }

  get value(): number {
    // An overflow leaves NaN in the correction; the plain sum says infinity, which is the better answer.
    return Number.isFinite(this.#sum) ? this.#sum + this.#lost : this.#sum;
  }
}
