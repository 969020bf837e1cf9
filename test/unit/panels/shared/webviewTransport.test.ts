import assert from 'node:assert/strict';
import { isFromHost, webviewTransport } from '../../../../src/panels/shared/webviewTransport.ts';

/** Windows are only compared, so any object can represent one. */
const aWindow = () => ({}) as Window;

describe('a message to a panel', () => {
  const origin = 'vscode-webview://1a2b';
  const [host, frame] = [aWindow(), aWindow()];
  const page = { origin, length: 1, 0: frame };

  it('is accepted from the editor, whose frame has the origin of the page', () => {
    assert.equal(isFromHost({ origin, source: host }, page), true);
  });

  it('is rejected from a sandboxed frame, which has no origin', () => {
    assert.equal(isFromHost({ origin: 'null', source: frame }, page), false);
  });

  it('is rejected from a frame within the page, whatever its origin', () => {
    assert.equal(isFromHost({ origin, source: frame }, page), false);
  });

  it('is rejected from the page itself, where extensions of a browser post theirs', () => {
    const self = Object.assign(aWindow(), page);
    assert.equal(isFromHost({ origin, source: self }, self), false);
  });

  it('is rejected from another page, or without a source', () => {
    assert.equal(isFromHost({ origin: 'https://example.org', source: host }, page), false);
    assert.equal(isFromHost({ origin, source: null }, page), false);
  });
});

interface Message {
  readonly text: string;
}

describe('a panel', () => {
  const origin = 'vscode-webview://1a2b';
  const page = Object.assign(new EventTarget(), { origin, length: 0 });
  const names = ['window', 'acquireVsCodeApi'];

  before(() => {
    Object.assign(globalThis, { window: page, acquireVsCodeApi: () => ({}) });
  });
  after(() => {
    for (const name of names) Reflect.deleteProperty(globalThis, name);
  });

  it('receives messages only from the editor', () => {
    const received: unknown[] = [];
    const { listen } = webviewTransport<Message, never>();
    const stop = listen((message) => received.push(message.text));
    const send = (text: string, from: object) => {
      const data = { text };
      page.dispatchEvent(Object.assign(new Event('message'), { data, origin, source: {}, ...from }));
    };
    send('of another page', { origin: 'https://example.org' });
    send('without a source', { source: null });
    send('of the editor', {});
    stop();
    send('too late', {});
    assert.deepEqual(received, ['of the editor']);
  });
});
