/**
 * Entry point of the thread that parses and counts bodies, so that no stream waits for this. Loads the tokenizer once,
 * when it starts.
 */
import { parentPort } from 'node:worker_threads';
import type { ApiError } from '../../formats/apiError.ts';
import type { Numbered } from '../../rpc/workerClient.ts';
import { estimateTokens } from '../../tokens/textEstimate.ts';
import { answerText } from '../core/answerText.ts';
import { type BodySize, sizeOfBody } from './bodySize.ts';
import type { AnswerSize, ThreadAnswer, ThreadQuestion } from './bodySizer.ts';
import { Tokenizer } from './tokenizer.ts';

if (parentPort === null) throw new Error('sizeThread.ts runs in a worker thread.');
const port = parentPort;
const tokenizer = new Tokenizer();

/** About a second's work. The size of further text is estimated, so that the next question does not wait too long. */
const MAX_CHARACTERS = 4_000_000;

function size(question: Exclude<ThreadQuestion, { isStream: boolean }>): BodySize | ApiError {
  let left = MAX_CHARACTERS;
  const answer = sizeOfBody({ ...question, body: Buffer.from(question.body.buffer) }, (text) => {
    left -= text.length;
    return left < 0 ? estimateTokens(text) : tokenizer.count(text);
  });
  return 'kind' in answer || left >= 0 ? answer : { ...answer, isPlain: false };
}

function sizeOfAnswer(answer: Extract<ThreadQuestion, { isStream: boolean }>): AnswerSize {
  const text = answerText({ ...answer, bytes: Buffer.from(answer.bytes.buffer) });
  return { text: text.length > MAX_CHARACTERS ? estimateTokens(text) : tokenizer.count(text) };
}

port.on('message', ({ id, content }: Numbered<ThreadQuestion>) => {
  const answer = 'isStream' in content ? sizeOfAnswer(content) : size(content);
  port.postMessage({ id, content: answer } satisfies Numbered<ThreadAnswer>);
});
