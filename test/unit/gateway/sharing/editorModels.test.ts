import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { EditorAnswer } from '../../../../src/gateway/upstreams/editorModels/protocol.ts';
import { json, open, send } from '../support/client.ts';
import { closeWindows, type EditorWindow, sharedFiles } from './editorWindow.ts';
import { LocalWindow } from './localWindow.ts';

const UPSTREAM = { kind: 'routed', upstreams: [], service: { kind: 'sandbox' }, editorModels: true } as const;
const QUESTION = { model: 'editor/acme/one', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };

/**
 * Answers the next question to the editor of this window.
 * @returns the model that was called.
 */
async function answerAs(window: EditorWindow, text: string): Promise<string | undefined> {
  const { questionId, question } = await window.take('askEditor');
  const answers: readonly EditorAnswer[] = [{ kind: 'part', part: { type: 'text', text } }, { kind: 'end' }];
  for (const answer of answers) window.post({ type: 'editorAnswer', questionId, answer });
  return question.kind === 'chat' ? question.request.model : undefined;
}

describe('the editor’s models with a gateway that windows share', () => {
  afterEach(closeWindows);

  const opened = async () => {
    const files = sharedFiles();
    const [owner, follower] = [new LocalWindow(files), new LocalWindow(files)];
    const { port } = await owner.listen({ upstream: UPSTREAM });
    assert.equal((await follower.listen({ port, upstream: UPSTREAM })).owner, 'other');
    return { owner, follower, port };
  };
  const ask = async (port: number, path: string, question: object) => {
    const answer = await send({ port, path: `/api/v1${path}`, body: JSON.stringify(question) });
    assert.equal(answer.status, 200, answer.body.toString());
    return answer;
  };

  it('are called in the window that owns it, and the other window receives the record', async () => {
    const { owner, follower, port } = await opened();
    const model = answerAs(owner, 'From the owner.');
    const { content } = json(await ask(port, '/messages', QUESTION)) as { content: { text: string }[] };
    assert.deepEqual([content[0]?.text, await model], ['From the owner.', 'acme/one']);
    const { record } = await follower.take('exchange');
    assert.deepEqual([record.upstream, record.model, record.end], ['editor', QUESTION.model, 'completed']);
    assert.equal(follower.untaken('askEditor').length, 0);
  });

  it('are those of the successor once the owner has left', async () => {
    const { owner, follower, port } = await opened();
    await owner.close();
    assert.equal((await follower.take('listening')).owner, 'self');
    const model = answerAs(follower, 'From the successor.');
    const answer = await ask(port, '/chat/completions', { ...QUESTION, stream: true });
    assert.match(answer.body.toString(), /From the successor\.[\s\S]*\[DONE\]/);
    assert.equal(await model, 'acme/one');
  });

  it('are stopped in the window that was called when the tool disconnects', async () => {
    const { owner, port } = await opened();
    const request = open({ port, path: '/api/v1/messages' }).end(JSON.stringify({ ...QUESTION, stream: true }));
    const { questionId } = await owner.take('askEditor');
    owner.post({ type: 'editorAnswer', questionId, answer: { kind: 'part', part: { type: 'text', text: 'And' } } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    request.destroy();
    assert.equal((await owner.take('cancelEditor')).questionId, questionId);
    assert.equal((await owner.take('exchange')).record.end, 'clientLeft');
  });
});
