/** The most of a command's output that is kept, in characters. The beginning and the end remain. */
const MAX_KEPT = 1_000_000;

/** Collects the output of a command. Of a very long one, the beginning and the end are kept. */
export class CommandOutput {
  readonly #onChange: (output: string) => void;
  #start = '';
  #end = '';

  constructor(onChange: (output: string) => void) {
    this.#onChange = onChange;
  }

  add(text: string): void {
    if (this.#start.length < MAX_KEPT / 2) this.#start += text;
    else this.#end = (this.#end + text).slice(-MAX_KEPT / 2);
    this.#onChange(this.#end === '' ? this.#start : this.#end);
  }

  get text(): string {
    return this.#end === '' ? this.#start : `${this.#start}\n${this.#end}`;
  }
}
