import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { type Counter, PromptTokens } from '../../../../src/editor/nativeChat/promptTokens.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { estimateRequestTokens } from '../../../../src/tokens/estimate.ts';

const NOT_CANCELLED = { isCancellationRequested: false } as vscode.CancellationToken;
const COUNT = 12_345;

function prompt(text: string): ChatRequest {
  return { model: 'familya-haiku-4.5', system: [], messages: [{ role: 'user', parts: [{ type: 'text', text }] }] };
}

const SMALL = prompt('one word or two');
const LARGE = prompt('word '.repeat(1_000));

describe('the prompt size in the editor’s chat', () => {
  /** A service that counts when the test allows it, and records its requests. */
  class Service implements Counter {
    readonly asked: ChatRequest[] = [];
    known = false;
    readonly answer = Promise.withResolvers<void>();

    estimate(request: ChatRequest) {
      return this.known
        ? { tokens: COUNT, estimated: false }
        : { tokens: estimateRequestTokens(request), estimated: true };
    }

    async count(request: ChatRequest) {
      this.asked.push(request);
      await this.answer.promise;
      return { tokens: COUNT, estimated: false };
    }
  }

  let service: Service;
  let tokens: PromptTokens;

  beforeEach(() => {
    service = new Service();
    tokens = new PromptTokens(service);
  });

  it('is the count from the service for a large part', async () => {
    service.answer.resolve();
    assert.equal(await tokens.count(LARGE, NOT_CANCELLED), COUNT);
  });

  it('is estimated for a small part, without a request to the service', async () => {
    assert.equal(await tokens.count(SMALL, NOT_CANCELLED), estimateRequestTokens(SMALL));
    assert.deepEqual(service.asked, []);
  });

  it('is the known count if there is one, without a request to the service', async () => {
    service.known = true;
    assert.equal(await tokens.count(SMALL, NOT_CANCELLED), COUNT);
    assert.equal(await tokens.count(LARGE, NOT_CANCELLED), COUNT);
    assert.deepEqual(service.asked, []);
  });

  it('is estimated if the service does not respond in time, and beyond four parallel requests', async () => {
    const counted = Array.from({ length: 6 }, () => tokens.count(LARGE, NOT_CANCELLED));
    const estimate = estimateRequestTokens(LARGE);
    assert.deepEqual(await Promise.all(counted), Array(6).fill(estimate));
    assert.equal(service.asked.length, 4);
    service.answer.resolve();
  });
});
