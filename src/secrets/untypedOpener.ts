import type { AnswerOpener } from './answerOpener.ts';
import { EventOpener } from './eventOpener.ts';
import type { StandInTable } from './standInTable.ts';
import { WholeOpener } from './wholeOpener.ts';

const WHITE_SPACE = /^[\s\ufeff]*$/;
const JSON_START = /^[\s\ufeff]*[{["]/;

/** Restores the secrets in an answer whose headers do not say what it is. Some services stream without a type. */
export class UntypedOpener implements AnswerOpener {
  readonly #create: (isJson: boolean) => AnswerOpener;
  #opener: AnswerOpener | undefined;
  #start = Buffer.alloc(0);

  constructor(table: StandInTable, isStructured: boolean) {
    this.#create = (isJson) => new (isJson ? WholeOpener : EventOpener)(table, isStructured);
  }

  get counts(): AnswerOpener['counts'] {
    return this.#opener?.counts ?? { opened: 0, unknown: 0 };
  }

  push(chunk: Buffer): Buffer {
    if (this.#opener !== undefined) return this.#opener.push(chunk);
    this.#start = Buffer.concat([this.#start, chunk]);
    const text = this.#start.toString();
    if (WHITE_SPACE.test(text)) return Buffer.alloc(0);
    this.#opener = this.#create(JSON_START.test(text));
    return this.#opener.push(this.#start);
  }

  end(): Buffer {
    return this.#opener?.end() ?? this.#start;
  }
}
