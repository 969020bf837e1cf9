import assert from 'node:assert/strict';
import { keyOfForm, openingForm } from '../../../../../src/editor/tools/connectPage/connectForm.ts';
import type { IssuedKey } from '../../../../../src/gateway/keys/issuedKey.ts';
import type { ConnectForm } from '../../../../../src/pages/connectTool/protocol.ts';
import { TOOLS } from '../../../../../src/tools/toolList.ts';

const NOW = new Date(2026, 5, 15, 12).getTime();
const CODEX = TOOLS.find(({ id }) => id === 'codex') ?? assert.fail();
const FORM: ConnectForm = {
  tool: 'codex',
  model: 'familya-haiku-4.5',
  name: 'Codex',
  budget: '',
  period: 'monthly',
  sessionDollars: '',
  addsAliases: true,
};

function key(name: string, terms: Partial<IssuedKey> = {}): IssuedKey {
  return { id: `id-of-${name}`, name, secret: 'key_secret', createdAt: 0, ...terms };
}

describe('the Connect Tool form', () => {
  it('starts with the model of the chat, no limits and an unused name', () => {
    assert.deepEqual(openingForm(CODEX, FORM.model, [], undefined), FORM);
    const form = openingForm(CODEX, FORM.model, [key('codex'), key('Codex 2')], undefined);
    assert.equal(form.name, 'Codex 3');
  });

  it('starts with the values of a connected tool', () => {
    const budgets = [
      { period: 'daily', unit: 'tokens', amount: 500 },
      { period: 'total', unit: 'usd', amount: 12.5 },
    ] as const;
    const mine = key('my codex', { budgets, limits: { sessionDollars: 3 } });
    const access = { address: 'http://127.0.0.1:1/api/v1', model: 'familya-opus-4.6', contextWindow: 1 };
    const form = openingForm(CODEX, FORM.model, [mine], { tool: 'codex', key: mine.id, access });
    assert.deepEqual(form, {
      ...FORM,
      model: 'familya-opus-4.6',
      name: 'my codex',
      budget: '12.5',
      period: 'total',
      sessionDollars: '3',
      addsAliases: false,
    });
  });

  it('creates a budget in dollars and a session cap', () => {
    const { name, terms, problems } = keyOfForm({ ...FORM, budget: '$10.00', sessionDollars: '1' }, [], undefined, NOW);
    assert.deepEqual(problems, {});
    assert.equal(name, 'Codex');
    assert.deepEqual(terms, {
      budgets: [{ period: 'monthly', unit: 'usd', amount: 10 }],
      limits: { sessionDollars: 1 },
      lowersLimits: true,
    });
  });

  it('reports the error of each field', () => {
    const wrong = { ...FORM, model: ' ', name: 'aider', budget: 'much', sessionDollars: '-1' };
    const { problems } = keyOfForm(wrong, [key('aider')], undefined, NOW);
    assert.deepEqual(Object.keys(problems).sort(), ['budget', 'model', 'name', 'sessionDollars']);
    assert.match(problems.name ?? '', /already exists/);
  });

  it('keeps the hidden settings and the name of a key', () => {
    const earlier = key('Codex', {
      budgets: [
        { period: 'monthly', unit: 'usd', amount: 10 },
        { period: 'daily', unit: 'tokens', amount: 500 },
      ],
      limits: { parallel: 2, sessionDollars: 3 },
      models: ['familya-*'],
      lowersLimits: false,
      measuresContext: false,
    });
    const { terms, problems } = keyOfForm({ ...FORM, budget: '7', period: 'total' }, [earlier], earlier, NOW);
    assert.deepEqual(problems, {});
    assert.deepEqual(terms, {
      budgets: [
        { period: 'total', unit: 'usd', amount: 7 },
        { period: 'daily', unit: 'tokens', amount: 500 },
      ],
      limits: { parallel: 2 },
      models: ['familya-*'],
      lowersLimits: false,
      measuresContext: false,
    });
  });
});
