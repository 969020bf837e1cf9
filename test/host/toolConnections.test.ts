import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ToolConnections } from '../../src/editor/tools/toolConnections.ts';

const CONNECTION = { tool: 'codex', key: 'id' };

/**
 * Behaves like the editor's memento, in which the response to an earlier update can restore the old value, this many
 * times.
 */
class ForgetfulMemory implements vscode.Memento {
  #values = new Map<string, unknown>();
  #timesToForget: number;

  constructor(timesToForget: number) {
    this.#timesToForget = timesToForget;
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, fallback?: T): T {
    return (this.#values.get(key) ?? fallback) as T;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#timesToForget -= 1;
    if (this.#timesToForget < 0) this.#values.set(key, value);
  }
}

describe('tool connections', () => {
  it('are stored again if the editor loses them', async () => {
    const connections = new ToolConnections(new ForgetfulMemory(2));
    let changes = 0;
    connections.onDidChange(() => {
      changes += 1;
    });
    await connections.add(CONNECTION);
    assert.deepEqual(connections.all, [CONNECTION]);
    await connections.restore(CONNECTION);
    assert.deepEqual(connections.all, []);
    assert.equal(changes, 2);
    connections.dispose();
  });

  it('report an error if they cannot be stored', async () => {
    const connections = new ToolConnections(new ForgetfulMemory(100));
    await assert.rejects(connections.add(CONNECTION), /could not store/);
    connections.dispose();
  });
});
