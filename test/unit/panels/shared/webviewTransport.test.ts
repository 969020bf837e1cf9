import assert from 'node:assert/strict';
import { isFromHost } from '../../../../src/panels/shared/webviewTransport.ts';

/** Windows are only compared, so any object can represent one. */
const aWindow = () => ({}) as Window;

describe('a message to a panel', () => {
  const origin = 'vscode-webview://1a2b';
  const [host, frame] = [aWindow(), aWindow()];
  const page = { origin, length: 1, 0: frame };

  it('is taken from the editor, whose frame has the origin of the page', () => {
    assert.equal(isFromHost({ origin, source: host }, page), true);
  });

  it('is not taken from a sandboxed frame, which has no origin', () => {
    assert.equal(isFromHost({ origin: 'null', source: frame }, page), false);
  });

  it('is not taken from a frame within the page, whatever its origin', () => {
    assert.equal(isFromHost({ origin, source: frame }, page), false);
  });

  it('is not taken from another page, nor from nobody', () => {
    assert.equal(isFromHost({ origin: 'https://example.org', source: host }, page), false);
    assert.equal(isFromHost({ origin, source: null }, page), false);
  });
});
