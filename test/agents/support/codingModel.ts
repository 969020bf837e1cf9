/** A model that performs a task with the tools in the request, and rejects requests that a real server would reject. */
import assert from 'node:assert/strict';
import { type AskedConversation, readConversation } from '../../support/modelServer/askedConversation.ts';
import type { Answer, AskedRequest } from '../../support/modelServer/modelServer.ts';
import type { Said } from '../../support/modelServer/script.ts';
import { isSearch, type Step, toolCall } from './toolUse.ts';

/** The tool names that every service accepts. */
const NAME = /^[\w-]{1,64}$/;

export class CodingModel {
  /** Reasons why requests were rejected. */
  readonly complaints: string[] = [];
  /** Number of earlier reasoning parts that the last request returned with their signature. */
  provenThoughts = 0;
  readonly #steps: readonly Step[];
  readonly #said = new Map<string, { readonly name: string; readonly arguments: string }>();

  /** @param steps performed in order. Steps that write files are combined if the client allows parallel calls. */
  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  readonly script = (request: AskedRequest): Answer => {
    try {
      const conversation = readConversation(request);
      this.#check(conversation);
      return { ...this.#answer(conversation), pieceBytes: 311 };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.complaints.push(message);
      return { status: 400, body: { error: { type: 'invalid_request_error', message } } };
    }
  };

  #check({ tools, calls, results, proofs }: AskedConversation): void {
    for (const { name } of tools) assert.match(name, NAME);
    assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length, 'two tools have one name');
    assert.deepEqual(
      results.map(({ callId }) => callId),
      calls.map(({ id }) => id),
      'each call has one result',
    );
    for (const { id, name, arguments: written } of calls) {
      const said = this.#said.get(id);
      assert.equal(name, said?.name, 'a call comes back under its name');
      assert.deepEqual(JSON.parse(written), JSON.parse(said?.arguments ?? ''), 'a call comes back as it was said');
    }
    this.provenThoughts = proofs.length;
    for (const proof of proofs) assert.match(proof, /^proof of \d+$/, 'thoughts come back with their proof');
  }

  #answer(conversation: AskedConversation): Said {
    const { calls, results, tools, mayCallSeveral } = conversation;
    const done = calls.filter(({ name }) => !isSearch(name)).length;
    const thought = { reasoning: `${done} steps are done.`, signature: `proof of ${done}` };
    const next = this.#next(done, mayCallSeveral);
    if (next.length === 0) return { parts: [thought, { text: `It says: ${results.at(-1)?.text ?? 'nothing'}` }] };
    const uses = next.map((step, nth) => ({ call: `call_${calls.length + nth}`, ...toolCall(step, tools) }));
    for (const use of uses) this.#said.set(use.call, use);
    return { parts: [thought, { text: 'I go on.' }, ...uses] };
  }

  #next(done: number, mayCallSeveral: boolean): readonly Step[] {
    const left = this.#steps.slice(done);
    const end = left.findIndex((step) => !('file' in step));
    return mayCallSeveral && end > 0 ? left.slice(0, end) : left.slice(0, 1);
  }
}
