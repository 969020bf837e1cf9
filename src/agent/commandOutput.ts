/** The most of a command's output that is kept, in characters. The beginning and the end remain. */
const MAX_KEPT = 1_000_000;

/** Collects the output of a command. Of a very long one, the beginning and the end are kept. */
export class CommandOutput {
  #start = '';
  #end = '';

  add(text: string): void {
    if (this.#start.length < MAX_KEPT / 2) this.#start += text;
    else this.#end = (this.#end + text).slice(-MAX_KEPT / 2);
  }

  get text(): string {
    return this.#end === '' ? this.#start : `${this.#start}\n${this.#end}`;
  }
}
