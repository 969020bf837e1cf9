import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { SharedFiles } from '../../../../src/gateway/sharing/protocol.ts';
import type { RunningCall, TrafficQuestion } from '../../../../src/gateway/traffic/protocol.ts';
import { closeWindows, type EditorWindow, sharedFiles } from '../sharing/editorWindow.ts';
import { LocalWindow } from '../sharing/localWindow.ts';
import { open, read, send } from '../support/client.ts';

const QUESTION = '{"model":"familya-haiku-4.5","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}';
const STALLED = QUESTION.replace('haiku-4.5"', 'haiku-4.5+stall","stream":true');

const CALL: RunningCall = {
  id: 'call',
  at: 1_000,
  source: 'chatPanel',
  conversationId: 'conversation',
  model: 'familya-haiku-4.5',
  durationMs: 5,
};

describe('the traffic of a gateway, seen from any window', () => {
  let files: SharedFiles;
  let questions = 0;

  beforeEach(() => {
    files = sharedFiles();
  });
  afterEach(closeWindows);

  const opened = async (command = {}) => {
    const [owner, follower] = [new LocalWindow(files), new LocalWindow(files)];
    const { port } = await owner.listen(command);
    await follower.listen({ port, ...command });
    return { owner, follower, port };
  };

  const ask = async (window: EditorWindow, question: TrafficQuestion) => {
    questions += 1;
    window.post({ type: 'askTraffic', requestId: questions, question });
    const { requestId, answer } = await window.take('trafficAnswer');
    assert.equal(requestId, questions);
    return answer;
  };

  /** Waits for the first list with a running request. */
  const running = async (window: EditorWindow) => {
    for (;;) {
      const [first] = (await window.take('running')).exchanges;
      if (first !== undefined) return first;
    }
  };

  const stalled = async (port: number) => {
    const sent = open({ port, path: '/api/v1/messages' }).end(STALLED);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return read(response);
  };

  it('is reported only to windows that subscribe', async () => {
    const { owner, follower, port } = await opened();
    follower.post({ type: 'watchTraffic', isOn: true });
    const answer = stalled(port);
    const { model, id } = await running(follower);
    assert.equal(model, 'familya-haiku-4.5+stall');
    assert.equal(owner.untaken('running').length, 0);
    assert.deepEqual(await ask(follower, { kind: 'cancel', id }), { kind: 'done' });
    assert.match((await answer).body.toString(), /canceled in the editor/);
    assert.equal((await follower.take('exchange')).record.end, 'cancelled');
  });

  it('has its details and bodies in every window', async () => {
    const { owner, follower, port } = await opened({ captureBodies: true, isTrusted: true });
    await send({ port, path: '/api/v1/messages', body: QUESTION });
    const { id } = (await follower.take('exchange')).record;
    for (const window of [owner, follower]) {
      const answer = await ask(window, { kind: 'body', id, part: 'request' });
      assert.ok(answer.kind === 'body');
      assert.deepEqual(
        answer.body?.pieces.map(([, text]) => text),
        [QUESTION],
      );
    }
    await ask(follower, { kind: 'deleteBodies' });
    assert.deepEqual(await ask(owner, { kind: 'body', id, part: 'request' }), { kind: 'body', body: undefined });
  });

  it('has no bodies while the gateway runs in the window of an untrusted folder, whatever others request', async () => {
    const owner = new LocalWindow(files);
    const { port } = await owner.listen({ captureBodies: true, isTrusted: false });
    const follower = new LocalWindow(files);
    await follower.listen({ port, captureBodies: true, isTrusted: true });
    follower.post({ type: 'change', settings: { captureBodies: false } });
    follower.post({ type: 'change', settings: { captureBodies: true } });
    await send({ port, path: '/api/v1/messages', body: QUESTION });
    const { id } = (await follower.take('exchange')).record;
    const answer = await ask(follower, { kind: 'details', id });
    assert.deepEqual(answer.kind === 'details' && answer.details?.bodies, []);
  });

  it('has bodies once the folder is trusted', async () => {
    const owner = new LocalWindow(files);
    const { port } = await owner.listen({ captureBodies: true, isTrusted: false });
    owner.post({ type: 'grantTrust' });
    await ask(owner, { kind: 'details', id: '' });
    await send({ port, path: '/api/v1/messages', body: QUESTION });
    const { id } = (await owner.take('exchange')).record;
    const answer = await ask(owner, { kind: 'details', id });
    assert.equal(answer.kind === 'details' && answer.details?.bodies.length, 2);
  });

  it('is still reported after the owner has left', async () => {
    const { owner, follower, port } = await opened();
    follower.post({ type: 'watchTraffic', isOn: true });
    await follower.take('running');
    await owner.close();
    assert.equal((await follower.take('listening')).owner, 'self');
    const answer = stalled(port);
    const { id } = await running(follower);
    await ask(follower, { kind: 'cancel', id });
    await answer;
  });

  /** Waits for the first list with this number of the editor's own calls. */
  const calls = async (window: EditorWindow, count: number) => {
    for (;;) {
      const { calls } = await window.take('running');
      if (calls.length === count) return calls;
    }
  };

  it("includes the editor's own calls of all windows, which are cancelled where they run", async () => {
    const { owner, follower } = await opened();
    for (const [window, watcher] of [
      [follower, owner],
      [owner, follower],
    ] as const) {
      watcher.post({ type: 'watchTraffic', isOn: true });
      window.post({ type: 'reportCalls', calls: [CALL] });
      assert.deepEqual(await calls(watcher, 1), [CALL]);
      assert.deepEqual(await ask(watcher, { kind: 'cancel', id: CALL.id }), { kind: 'done' });
      assert.equal((await window.take('cancelCall')).id, CALL.id);
      window.post({ type: 'reportCalls', calls: [] });
      await calls(watcher, 0);
      assert.deepEqual(await ask(watcher, { kind: 'cancel', id: CALL.id }), { kind: 'done' });
      assert.equal(window.untaken('cancelCall').length, 0);
    }
  });

  it("drops the editor's own calls of a closed window, and keeps those of others", async () => {
    const { owner, follower, port } = await opened();
    const third = new LocalWindow(files);
    await third.listen({ port });
    third.post({ type: 'watchTraffic', isOn: true });
    owner.post({ type: 'reportCalls', calls: [{ ...CALL, id: 'of the owner' }] });
    follower.post({ type: 'reportCalls', calls: [CALL] });
    await calls(third, 2);
    await owner.close();
    assert.deepEqual(await calls(third, 1), [CALL]);
    await follower.close();
    await calls(third, 0);
  });
});
