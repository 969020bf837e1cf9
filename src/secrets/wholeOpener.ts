import type { AnswerOpener } from './answerOpener.ts';
import { openJson } from './openedJson.ts';
import { LITERAL } from './standIns.ts';
import type { StandInTable } from './standInTable.ts';

/** Restores the secrets in an answer that is not a stream. */
export class WholeOpener implements AnswerOpener {
  readonly counts = { opened: 0, unknown: 0 };
  readonly #table: StandInTable;
  readonly #isStructured: boolean;
  readonly #chunks: Buffer[] = [];

  constructor(table: StandInTable, isStructured: boolean) {
    this.#table = table;
    this.#isStructured = isStructured;
  }

  push(chunk: Buffer): Buffer {
    this.#chunks.push(chunk);
    return Buffer.alloc(0);
  }

  end(): Buffer {
    const whole = Buffer.concat(this.#chunks);
    if (!whole.includes(LITERAL)) return whole;
    const source = whole.toString();
    return Buffer.from(openJson(source, this.#table, this.counts, this.#isStructured) ?? this.#plain(source));
  }

  #plain(source: string): string {
    const { text, opened, unknown } = this.#table.open(source, (secret) => secret);
    this.counts.opened += opened;
    this.counts.unknown += unknown;
    return text;
  }
}
