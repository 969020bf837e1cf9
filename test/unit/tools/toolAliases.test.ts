import assert from 'node:assert/strict';
import { type OfferedNames, proposeAliases, withAliases, withoutAliases } from '../../../src/tools/toolAliases.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';

const NOTHING: OfferedNames = { upstreams: [{ id: 'hosted', models: ['*'] }], aliases: {}, models: [], routes: {} };

describe('aliases for model names that are built into a tool', () => {
  const [codex] = TOOLS.filter(({ id }) => id === 'codex');
  assert.ok(codex !== undefined);
  const propose = (offered: Partial<OfferedNames>, own = {}) =>
    Object.keys(proposeAliases(codex, 'small', { ...NOTHING, ...offered }, own));

  it('point to the model for small tasks', () => {
    assert.deepEqual(proposeAliases(codex, 'small', NOTHING, {}), {
      'codex-auto-review': 'small',
      'gpt-5.6-luna': 'small',
      'gpt-5.4-mini': 'small',
      'gpt-6.1-terra': 'small',
    });
  });

  it('are empty for tools that request only the configured model', () => {
    for (const tool of TOOLS) if (tool !== codex) assert.deepEqual(proposeAliases(tool, 'small', NOTHING, {}), {});
  });

  for (const [where, offered] of [
    ['an alias', { aliases: { 'gpt-5.4-mini': 'mine' } }],
    ['a route', { routes: { 'gpt-5.4-mini': { use: ['mine'] } } }],
    ['a model of the catalog', { models: ['gpt-5.4-mini'] }],
    ['a model of an upstream', { upstreams: [{ id: 'vendor', models: ['gpt-5.4*'] }] }],
  ] as const) {
    it(`omit the name of ${where}`, () => {
      assert.deepEqual(propose(offered), ['codex-auto-review', 'gpt-5.6-luna', 'gpt-6.1-terra']);
    });
  }

  it('replace those of an earlier connection, unless they were changed', () => {
    const aliases = { 'gpt-5.4-mini': 'earlier', 'gpt-5.6-luna': 'mine' };
    const own = { 'gpt-5.4-mini': 'earlier', 'gpt-5.6-luna': 'earlier' };
    assert.deepEqual(propose({ aliases }, own), ['codex-auto-review', 'gpt-5.4-mini', 'gpt-6.1-terra']);
  });

  it('are added to the setting without changing existing entries', () => {
    const mine = { fast: 'local/qwen', wrong: 1 };
    const added = { 'gpt-5.4-mini': 'small' };
    assert.deepEqual(withAliases(mine, added), { ...mine, ...added });
    assert.deepEqual(withoutAliases({ ...mine, ...added }, added), mine);
    assert.deepEqual(withoutAliases({ ...mine, 'gpt-5.4-mini': 'mine' }, added), { ...mine, 'gpt-5.4-mini': 'mine' });
    assert.deepEqual(withAliases(undefined, added), added);
  });
});
