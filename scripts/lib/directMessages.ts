/**
 * A script for a page with the editor, to run before its own. The editor receives each message of its server as a blob
 * and reads it with a file reader, which takes a fifth of the CPU of the tests in the extension host, because the
 * browser's main process keeps all blobs. With this script, messages arrive as bytes, which the reader passes on.
 */
export const DIRECT_MESSAGES = `if (window === top) {
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function (data) {
    if (data instanceof ArrayBuffer) queueMicrotask(() => this.onload({ target: { result: data } }));
    else readAsArrayBuffer.call(this, data);
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      this.binaryType = 'arraybuffer';
    }
  };
}`;
