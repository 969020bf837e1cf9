/** Entry point of the thread that measures what requests consist of, so that no stream waits for it. */
import { parentPort } from 'node:worker_threads';
import type { Numbered } from '../../rpc/workerClient.ts';
import type { MeasuredContext } from '../../rules/contextPart.ts';
import { Tokenizer } from '../counting/tokenizer.ts';
import { ContextMeter, type MeasureQuestion } from './contextMeter.ts';

if (parentPort === null) throw new Error('contextThread.ts runs in a worker thread.');
const port = parentPort;
const tokenizer = new Tokenizer();
const meter = new ContextMeter((text) => tokenizer.count(text));

port.on('message', ({ id, content }: Numbered<MeasureQuestion>) => {
  port.postMessage({ id, content: meter.measure(content) } satisfies Numbered<MeasuredContext | undefined>);
});
port.postMessage({ id: 0 });
