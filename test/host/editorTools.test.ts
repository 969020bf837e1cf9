import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { definitionOf, editorTools, knownTools } from '../../src/editor/agent/tools/editorTools.ts';

describe('tools of other extensions whose names are too long for services', () => {
  before(() => vscode.extensions.getExtension('acme.acme-models')?.activate());

  it('have a name of their own for the model, and each call reaches its tool', async () => {
    const long = knownTools().filter(({ name }) => name.startsWith('acme_search_'));
    const names = long.map((tool) => definitionOf(tool).name);
    assert.equal(new Set(names).size, 2);
    for (const name of names) assert.match(name, /^acme_search_[\w-]{1,52}$/);
    const tools = editorTools(names);
    assert.deepEqual(
      tools.map(({ definition }) => definition.name),
      names,
    );
    const said = tools.map(async ({ prepare }) => {
      const { run } = await prepare({});
      const { signal } = new AbortController();
      const ask = () => Promise.reject(new Error('It asked.'));
      return (await run({ place: { step: '', call: '' }, signal, report: () => undefined, ask })).text;
    });
    assert.deepEqual(await Promise.all(said), ['Searched one.', 'Searched two.']);
  });
});
