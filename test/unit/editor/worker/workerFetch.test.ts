import assert from 'node:assert/strict';
import { createWorkerFetch, WORKER_ADDRESS } from '../../../../src/editor/worker/workerFetch.ts';
import type { WorkerQuestion } from '../../../../src/editor/worker/workerRpc.ts';
import type { WorkerAnswer } from '../../../../src/gateway/worker/protocol.ts';

/** The other end of the port. */
class Worker {
  readonly questions: WorkerQuestion[] = [];
  isCancelled = false;
  #receive: (message: WorkerAnswer) => void = () => assert.fail('Nobody has asked.');

  readonly ask = (question: WorkerQuestion, receive: (message: WorkerAnswer) => void) => {
    this.questions.push(question);
    this.#receive = receive;
    return () => {
      this.isCancelled = true;
    };
  };

  start(): void {
    this.#receive({ type: 'answerStart', requestId: 1, status: 200, headers: [['content-type', 'text/plain']] });
  }

  data(text: string): void {
    this.#receive({ type: 'answerData', requestId: 1, chunk: Buffer.from(text) });
  }

  end(): void {
    this.#receive({ type: 'answerEnd', requestId: 1 });
  }

  fail(message: string): void {
    this.#receive({ type: 'answerFail', requestId: 1, message });
  }
}

describe('the fetch function of the sandbox', () => {
  let worker: Worker;
  let answer: Promise<Response>;
  let abort: AbortController;

  beforeEach(() => {
    worker = new Worker();
    abort = new AbortController();
    const workerFetch = createWorkerFetch(worker.ask);
    answer = workerFetch(`${WORKER_ADDRESS}/messages`, { method: 'POST', body: '{}', signal: abort.signal });
  });

  it('sends the body to the endpoint and streams the answer', async () => {
    worker.start();
    const response = await answer;
    assert.deepEqual(worker.questions, [{ endpoint: '/messages', body: '{}' }]);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/plain');
    worker.data('one ');
    worker.data('two');
    worker.end();
    assert.equal(await response.text(), 'one two');
  });

  it('rejects if the worker fails before the answer begins', async () => {
    worker.fail('The worker ended.');
    await assert.rejects(answer, /The worker ended/);
  });

  it('fails the body if the worker fails in the middle of it', async () => {
    worker.start();
    const response = await answer;
    worker.data('one');
    worker.fail('The worker ended.');
    await assert.rejects(response.text(), /The worker ended/);
  });

  it('cancels the request when it is aborted, with the reason of the signal', async () => {
    worker.start();
    const response = await answer;
    abort.abort(new Error('enough'));
    assert.equal(worker.isCancelled, true);
    await assert.rejects(response.text(), /enough/);
  });

  it('cancels the request when the reader stops', async () => {
    worker.start();
    const response = await answer;
    await response.body?.cancel();
    assert.equal(worker.isCancelled, true);
  });

  it('sends nothing if it is aborted before it begins', async () => {
    const late = createWorkerFetch(worker.ask)(`${WORKER_ADDRESS}/models`, {
      signal: AbortSignal.abort(new Error('no')),
    });
    await assert.rejects(late, /no/);
    assert.equal(worker.questions.length, 1);
  });
});
