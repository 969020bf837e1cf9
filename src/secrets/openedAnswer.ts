import type { AnswerOpener } from './answerOpener.ts';
import { EventOpener } from './eventOpener.ts';
import { openJson } from './openedJson.ts';
import { LITERAL } from './standIns.ts';
import type { StandInTable } from './standInTable.ts';

/** What the headers and the request say about an answer. */
export interface OpenedForm {
  readonly contentType: string;
  /** Whether the texts of the model are JSON, as the request has demanded. */
  readonly isStructured: boolean;
}

/** @returns undefined for an answer that has no texts, such as audio. */
export function openerFor(table: StandInTable, { contentType, isStructured }: OpenedForm): AnswerOpener | undefined {
  if (/^text\/event-stream\b/i.test(contentType)) return new EventOpener(table, isStructured);
  if (contentType === '') return new UntypedOpener(table, isStructured);
  return /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/i.test(contentType)
    ? new WholeOpener(table, isStructured)
    : undefined;
}

const WHITE_SPACE = /^[\s\ufeff]*$/;
const JSON_START = /^[\s\ufeff]*[{["]/;

/** Restores the secrets in an answer whose headers do not say what it is. Some services stream without a type. */
class UntypedOpener implements AnswerOpener {
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

class WholeOpener implements AnswerOpener {
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
