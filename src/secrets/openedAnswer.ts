import type { AnswerOpener } from './answerOpener.ts';
import { EventOpener } from './eventOpener.ts';
import type { StandInTable } from './standInTable.ts';
import { UntypedOpener } from './untypedOpener.ts';
import { WholeOpener } from './wholeOpener.ts';

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
