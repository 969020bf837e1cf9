import { signal } from '@preact/signals';

type Problems<Field extends string> = { readonly [Name in Field]?: string };

/** What is wrong with the fields of a form, by the host. It shows once a field was left, or the form was submitted. */
export class FormProblems<Field extends string> {
  readonly #problems = signal<Problems<Field>>({});
  readonly #left = signal<ReadonlySet<Field>>(new Set());
  readonly #refusals = signal(0);
  #isSubmitted = false;

  /** Incremented when the first wrong field gets the focus. */
  get refusals(): number {
    return this.#refusals.value;
  }

  get isShown(): boolean {
    return this.#left.value.size > 0;
  }

  /** What is shown of the problems. */
  of(field: Field): string | undefined {
    return this.#left.value.has(field) ? this.#problems.value[field] : undefined;
  }

  /** The field has lost the focus: what is wrong with it shows from now on. */
  leave(...fields: readonly Field[]): void {
    this.#left.value = new Set([...this.#left.value, ...fields]);
  }

  /** The next problems are those that refuse the form. */
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

  /** Another form: nothing of it was left yet. */
  clear(): void {
    this.#problems.value = {};
    this.#left.value = new Set();
    this.#isSubmitted = false;
  }
}
