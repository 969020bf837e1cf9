import { Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import type { SharedFiles } from '../../../../src/gateway/sharing/protocol.ts';
import { EditorPort } from '../../../../src/gateway/upstreams/editorModels/editorPort.ts';
import { WorkerListener } from '../../../../src/gateway/worker/listener.ts';
import type { WorkerMessage } from '../../../../src/gateway/worker/protocol.ts';
import { EditorWindow, type WindowCommand } from './editorWindow.ts';

/**
 * A window in the process of the test, with its own classes and sockets. It starts in a small part of the time of a
 * `ProcessWindow`, which is for tests of what a process does, and of its sudden end.
 */
export class LocalWindow extends EditorWindow {
  readonly #editor: EditorPort;
  readonly #upstreams: Upstreams;
  readonly #listener: WorkerListener;

  constructor(files: SharedFiles | undefined) {
    super(files);
    // The windows of an editor exchange copies.
    const report = (message: WorkerMessage) => this.receive(structuredClone(message));
    const warn = (message: string) => report({ type: 'log', level: 'warn', message });
    this.#editor = new EditorPort(report);
    this.#upstreams = new Upstreams({ sharedCredit: true }, warn, this.#editor.ask);
    this.#listener = new WorkerListener(this.#upstreams, report);
  }

  override post(message: WindowCommand): void {
    const copy = structuredClone(message);
    switch (copy.type) {
      case 'editorAnswer':
        this.#editor.receive(copy);
        return;
      case 'watchTraffic':
      case 'askTraffic':
      case 'reportCalls':
      case 'reportBranch':
      case 'grantTrust':
        this.#listener.observe(copy);
        return;
      default:
        void this.#listener.run(copy);
    }
  }

  override close(graceMs = 5_000): Promise<void> {
    return this.#leave(graceMs);
  }

  override end(): Promise<void> {
    return this.#leave(0);
  }

  async #leave(graceMs: number): Promise<void> {
    await this.#listener.run({ type: 'leave', graceMs });
    await this.#upstreams.close();
  }
}
