import { signal } from '@preact/signals';

type Problems<Field extends string> = { readonly [Name in Field]?: string };

/**
 * The problems that the host found in a form. A problem is shown once its field has lost the focus or the form was
 * submitted.
 */
export class FormProblems<Field extends string> {
  readonly #problems = signal<Problems<Field>>({});
  readonly #left = signal<ReadonlySet<Field>>(new Set());
  readonly #refusals = signal(0);
  #isSubmitted = false;

  /** Incremented when the first invalid field gets the focus. */
  get refusals(): number {
    return this.#refusals.value;
  }

  get isShown(): boolean {
    return this.#left.value.size > 0;
  }

  /** Returns the problem of a field if it is shown. */
  of(field: Field): string | undefined {
    return this.#left.value.has(field) ? this.#problems.value[field] : undefined;
  }

  /** Called when fields have lost the focus. Their problems are shown from now on. */
  leave(...fields: readonly Field[]): void {
    this.#left.value = new Set([...this.#left.value, ...fields]);
  }

  /** Called when the form is submitted. The next problems are all shown. */
  submit(): void {
    this.#isSubmitted = true;
  }

  take(problems: Problems<Field>): void {
    this.#problems.value = problems;
    if (!this.#isSubmitted) return;
    this.#isSubmitted = false;
    const fields = Object.keys(problems) as Field[];
    this.leave(...fields);
    if (fields.length > 0) this.#refusals.value += 1;
  }

  /** Clears everything, for another form. */
  clear(): void {
    this.#problems.value = {};
    this.#left.value = new Set();
    this.#isSubmitted = false;
  }
}
