import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { SharedFiles } from '../../../../src/gateway/sharing/protocol.ts';
import type { HostMessage, WorkerMessage } from '../../../../src/gateway/worker/protocol.ts';
import { WINDOW_PROCESS, WORKER } from '../support/builtWorker.ts';
import { EditorWindow } from './editorWindow.ts';

/** A window whose extension host is a process, which runs the gateway's worker as shipped. Needs `buildWorker`. */
export class ProcessWindow extends EditorWindow {
  readonly #child: ChildProcess;

  constructor(files: SharedFiles | undefined) {
    super(files);
    this.#child = fork(WINDOW_PROCESS, [WORKER], {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => this.receive(message as WorkerMessage));
  }

  override post(message: HostMessage): void {
    this.#child.send(message);
  }

  override async close(graceMs = 5_000): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.post({ type: 'stop', graceMs });
    await ended;
  }

  /** Stops the process until it is killed, so that it answers nothing anymore. Not on Windows. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Kills the process with SIGKILL, so that nothing in it can react. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  override end(): Promise<void> {
    return this.kill();
  }
}
