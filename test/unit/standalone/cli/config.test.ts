import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServeOptions, UsageError } from '../../../../packages/gateway/src/cli/options.ts';

const UPSTREAM = {
  id: 'x',
  baseUrl: 'http://127.0.0.1:9/api/v1',
  formats: ['chat-completions'],
  apiKeyEnv: 'X_KEY',
  models: ['*'],
};

describe('a configuration with several upstreams', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = (content: unknown, environment: NodeJS.ProcessEnv = { X_KEY: 'sk-x' }, ...args: string[]) => {
    const file = join(folder, 'upstreams.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readServeOptions(['--config', file, ...args], environment);
  };

  it('reads its API keys from the environment', () => {
    const options = read({ upstreams: [UPSTREAM], aliases: { usual: 'x/real' } });
    const { apiKeyEnv: _, ...settings } = UPSTREAM;
    assert.deepEqual(options?.upstream, {
      kind: 'routed',
      upstreams: [{ ...settings, apiKey: 'sk-x' }],
      aliases: { usual: 'x/real' },
    });
    assert.deepEqual(options?.warnings, []);
  });

  it('accepts routes to models of the --upstream option', () => {
    const routes = {
      coding: { use: ['sandbox/familya-opus-4.7', 'x/a'], when: [{ image: true, use: ['fast'] }] },
      fast: { use: ['a'] },
    };
    const { upstream } = read({ upstreams: [UPSTREAM], routes }, undefined, '--upstream', 'sandbox') ?? {};
    assert.deepEqual(upstream?.kind === 'routed' && upstream.routes, routes);
  });

  it('accepts routes and aliases without upstreams, for the --upstream option or the sandbox', () => {
    const routes = { coding: { use: ['familya-opus-4.7'] } };
    const aliases = { small: 'coding' };
    const service = { kind: 'sandbox' };
    for (const names of [{ routes, aliases }, { routes }]) {
      const { upstream } = read(names) ?? {};
      assert.deepEqual(upstream, { kind: 'routed', upstreams: [], aliases: {}, ...names, service });
    }
    const { upstream } = read({ aliases: { small: 'a' } }, {}, '--upstream', 'sandbox') ?? {};
    assert.deepEqual(upstream, { kind: 'routed', upstreams: [], aliases: { small: 'a' }, service });
  });

  it('can disable usage requests for streams of the hosted service, alone or with other upstreams', () => {
    const hosted = { kind: 'hosted', baseAddress: 'https://host.example/api/v1', serviceKey: 'key_s', askUsage: false };
    const args = ['--upstream', 'hosted:https://host.example/api/v1'];
    const environment = { MODEL_ACCESS_KEY: 'key_s', X_KEY: 'sk-x' };
    assert.deepEqual(read({ askUsage: false }, environment, ...args)?.upstream, hosted);
    const { upstream } = read({ upstreams: [UPSTREAM], askUsage: false }, environment, ...args) ?? {};
    assert.deepEqual(upstream?.kind === 'routed' && upstream.service, hosted);
    const { askUsage: _, ...asked } = hosted;
    assert.deepEqual(read({ askUsage: true, endLoops: true }, environment, ...args)?.upstream, asked);
    assert.throws(() => read({ askUsage: 'no', endLoops: true }, environment, ...args), /askUsage: "no"/);
  });

  it('accepts all models if none is named, and needs no API key', () => {
    const { apiKeyEnv: _, models: __, ...least } = UPSTREAM;
    const { upstream } = read({ upstreams: [least] }) ?? {};
    assert.deepEqual(upstream?.kind === 'routed' && upstream.upstreams, [{ ...least, models: ['*'] }]);
  });

  it('reads several keys, headers with environment variables, and prices', () => {
    const written = {
      apiKeyEnv: ['A', 'B', 'C'],
      headers: { 'X-Org': `\${env:ORG}` },
      prices: {
        '*': {
          input: 1,
          output: 2,
          longPrompts: [
            { above: 9, input: 4 },
            { above: 5, input: 3, output: 6 },
          ],
        },
      },
    };
    const { upstream, warnings } =
      read({ upstreams: [{ ...UPSTREAM, ...written }] }, { A: 'a', C: 'c', ORG: 'o' }) ?? {};
    const [settings] = upstream?.kind === 'routed' ? upstream.upstreams : [];
    const { apiKey, furtherKeys, headers, maskedTexts, prices } = settings ?? {};
    assert.deepEqual([apiKey, furtherKeys, headers, maskedTexts], ['a', ['c'], { 'x-org': 'o' }, ['o']]);
    const longPrompts = [
      { inputPrice: 3, outputPrice: 6, above: 5 },
      { inputPrice: 4, above: 9 },
    ];
    assert.deepEqual(prices, { '*': { inputPrice: 1, outputPrice: 2, longPrompts } });
    assert.match(warnings?.join() ?? '', /fewer keys: B is not set/);
  });

  it('warns if an API key is not set', () => {
    assert.match(read({ upstreams: [UPSTREAM] }, {})?.warnings.join() ?? '', /X_KEY is not set/);
  });

  it('can be combined with the --upstream option', () => {
    const options = read({ upstreams: [UPSTREAM] }, {}, '--upstream', 'sandbox');
    assert.deepEqual(options?.upstream.kind === 'routed' && options.upstream.service, { kind: 'sandbox' });
  });

  for (const [name, content, complaint] of [
    ['no JSON', '{', /not JSON/],
    ['no upstreams', { upstreams: [] }, /upstreams/],
    [
      'an unknown format',
      { upstreams: [{ ...UPSTREAM, formats: ['x'] }] },
      /upstreams\.0\.formats\.0.*chat-completions/,
    ],
    ['no format', { upstreams: [{ ...UPSTREAM, formats: [] }] }, /formats/],
    ['another kind of address', { upstreams: [{ ...UPSTREAM, baseUrl: 'ftp://x' }] }, /baseUrl.*http/],
    ['a slash in an id', { upstreams: [{ ...UPSTREAM, id: 'a/b' }] }, /id.*letters/],
    ['one id twice', { upstreams: [UPSTREAM, UPSTREAM] }, /two upstreams/],
    [
      'a header of the connection',
      { upstreams: [{ ...UPSTREAM, headers: { Host: 'x' } }] },
      /upstreams\.0\.headers\.Host: This header is set by the gateway/,
    ],
    [
      'a header with a line break, whose value is not shown',
      { upstreams: [{ ...UPSTREAM, headers: { 'x-key': 'secret\n' } }] },
      /upstreams\.0\.headers\.x-key: This can contain only printable ASCII characters and tabs\.$/,
    ],
    ['an invalid name of a header', { upstreams: [{ ...UPSTREAM, auth: 'a b' }] }, /auth: "a b".*name of a header/],
    [
      'a model that is set',
      { upstreams: [{ ...UPSTREAM, set: { '*': { model: 'x' } } }] },
      /upstreams\.0\.set\.\*\.model: "x" is not allowed here\. The members "model" and "stream" cannot be/,
    ],
    [
      'a price without a number',
      { upstreams: [{ ...UPSTREAM, prices: { m: { input: 1 } } }] },
      /upstreams\.0\.prices\.m\.output: This must be a number/,
    ],
    ['no key in a list', { upstreams: [{ ...UPSTREAM, apiKeyEnv: [] }] }, /apiKeyEnv.*non-empty/],
    [
      'a limit that is no number',
      { upstreams: [{ ...UPSTREAM, limits: { idleSeconds: '9' } }] },
      /idleSeconds.*number/,
    ],
    ...[0, -5, 'fast', null].map(
      (speed) =>
        [
          `the speed ${speed}`,
          { upstreams: [{ ...UPSTREAM, maxTokensPerSecond: speed }] },
          /upstreams\.0\.maxTokensPerSecond: .*(?:positive )?number/,
        ] as const,
    ),
    ['a speed of 0 with its value', { upstreams: [{ ...UPSTREAM, maxTokensPerSecond: 0 }] }, /: 0 is not allowed here/],
    ['a route without models', { upstreams: [UPSTREAM], routes: { a: { use: [] } } }, /routes\.a\.use.*non-empty/],
    [
      'an unknown trigger',
      { upstreams: [UPSTREAM], routes: { a: { use: ['m'], also: ['credits'] } } },
      /routes\.a\.also\.0: "credits" is not allowed here\. Use "overflow", "credit", "refusal" or "filter"/,
    ],
    [
      'an unknown class',
      { upstreams: [UPSTREAM], routes: { a: { use: ['m'], when: [{ class: 'x', use: ['m'] }] } } },
      /routes\.a\.when\.0\.class: "x".*"main"/,
    ],
    [
      'a rule without a condition',
      { upstreams: [UPSTREAM], routes: { a: { use: ['m'], when: [{ use: ['m'] }] } } },
      /routes\.a\.when\.0.*tokensAbove/,
    ],
    [
      'a route that refers back to itself',
      { upstreams: [UPSTREAM], routes: { a: { use: ['m'], when: [{ image: true, use: ['b'] }] }, b: { use: ['a'] } } },
      /routes\.a\.when\.0\.use\.0: "b" refers back/,
    ],
    [
      'a route to an unknown model',
      { upstreams: [{ ...UPSTREAM, models: ['big'] }], aliases: { small: 'x/s' }, routes: { a: { use: ['bgi'] } } },
      /routes\.a\.use\.0: No upstream offers "bgi"\. Use "x\/\*", "big" or "small"/,
    ],
    [
      'a route that refers back to itself through an alias',
      { upstreams: [UPSTREAM], aliases: { b: 'a' }, routes: { a: { use: ['b'] } } },
      /routes\.a\.use\.0: "b" refers back/,
    ],
    [
      'an alias for an unknown model',
      { upstreams: [{ ...UPSTREAM, models: ['big'] }], aliases: { small: 'litle' }, routes: { a: { use: ['big'] } } },
      /aliases\.small: No upstream offers "litle"\. Use "x\/\*", "big" or "a"/,
    ],
    [
      'a route with the name of an alias',
      { upstreams: [UPSTREAM], aliases: { a: 'm' }, routes: { a: { use: ['m'] } } },
      /routes\.a: "a" is also the name of an alias/,
    ],
  ] as const) {
    it(`is rejected with an error that names ${name}`, () => {
      assert.throws(
        () => read(content),
        (error) => error instanceof UsageError && complaint.test(error.message),
      );
    });
  }

  describe('with local keys', () => {
    const KEY = {
      name: 'aider',
      secretEnv: 'AIDER_KEY',
      budget: { amount: 5, unit: 'usd', period: 'monthly' },
      expires: '2100-01-31',
      models: ['familya-*'],
    };
    const environment = { AIDER_KEY: 'key_aider-for-the-tests' };

    it('reads their secrets from the environment, in addition to the key of the option', () => {
      const options = read(
        { keys: [KEY] },
        { ...environment, OWN: 'key_option-for-the-tests' },
        '--key-env',
        'OWN',
        '--ledger',
        'x',
      );
      assert.deepEqual(options?.upstream, { kind: 'sandbox' });
      const [own, configured] = options.localKeys;
      assert.deepEqual([own?.id, own?.secret, own?.budgets], ['serve', 'key_option-for-the-tests', undefined]);
      const { createdAt: _, ...aider } = configured ?? { createdAt: 0 };
      assert.deepEqual(aider, {
        id: 'aider',
        name: 'aider',
        secret: 'key_aider-for-the-tests',
        budgets: [KEY.budget],
        expiresAt: Date.UTC(2100, 0, 31),
        models: ['familya-*'],
        lowersLimits: true,
      });
      const kept = read({ keys: [{ ...KEY, lowersLimits: false }] }, environment);
      assert.equal(kept?.localKeys.find(({ id }) => id === 'aider')?.lowersLimits, false);
      assert.deepEqual([options.madeKeys, options.warnings], [[], []]);
    });

    it('can be combined with upstreams', () => {
      const options = read({ upstreams: [UPSTREAM], keys: [KEY] }, { ...environment, X_KEY: 'sk-x' });
      assert.equal(options?.upstream.kind, 'routed');
      assert.equal(options?.localKeys.length, 2);
    });

    it('creates a secret if none is named, and a total budget if no period is set', () => {
      const options = read({ keys: [{ name: 'shell', budget: { amount: 1000, unit: 'tokens' } }] });
      const [made] = options?.madeKeys ?? [];
      assert.match(made?.secret ?? '', /^key_.{40}/);
      assert.deepEqual(made?.budgets, [{ amount: 1000, unit: 'tokens', period: 'total' }]);
    });

    it('accepts several budgets for a key, one for each period', () => {
      const day = { amount: 1, unit: 'usd', period: 'daily' };
      const options = read({ keys: [{ ...KEY, budgets: [day] }] }, environment);
      assert.deepEqual(options?.localKeys.find(({ id }) => id === 'aider')?.budgets, [KEY.budget, day]);
    });

    it('accepts limits for a key, where 0 means none', () => {
      const limits = { parallel: 2, requestsPerMinute: 60, tokensPerMinute: 0, sessionDollars: 2.5 };
      const options = read({ keys: [{ ...KEY, limits }] }, environment);
      const key = options?.localKeys.find(({ id }) => id === 'aider');
      assert.deepEqual(key?.limits, { parallel: 2, requestsPerMinute: 60, sessionDollars: 2.5 });
    });

    it('warns if budgets do not survive a restart, and about expired keys', () => {
      const warned = read({ keys: [{ ...KEY, expires: '2020-01-31' }] }, environment)?.warnings.join('\n') ?? '';
      assert.match(warned, /Use --ledger/);
      assert.match(warned, /"aider" has expired/);
    });

    for (const [name, change, complaint] of [
      [
        'a variable that is not set',
        { secretEnv: 'NOWHERE' },
        /"aider" takes its secret from NOWHERE, which is not set/,
      ],
      ['a secret that is none', { secretEnv: 'X_KEY' }, /X_KEY is not a local key/],
      ['a name that is taken', { name: 'Serve' }, /"Serve": A key named/],
      ['a budget of nothing', { budget: { amount: 0, unit: 'usd' } }, /keys\.0\.budget\.amount/],
      [
        'half a token',
        { budget: { amount: 0.5, unit: 'tokens' } },
        /"aider": A budget in tokens must be a whole number/,
      ],
      [
        'more dollars than are counted exactly',
        { budget: { amount: 1e300, unit: 'usd' } },
        /"aider": A budget must be at most \$1,000,000/,
      ],
      ['another currency', { budget: { amount: 1, unit: 'eur' } }, /keys\.0\.budget\.unit.*usd/],
      ['two of a kind', { budgets: [{ amount: 1, unit: 'usd', period: 'monthly' }] }, /one monthly budget/],
      ['half a request', { limits: { parallel: 0.5 } }, /keys\.0\.limits\.parallel/],
      ['a limit that it does not know', { limits: { perDay: 1 } }, /keys\.0\.limits.*perDay/],
      ['no date', { expires: 'soon' }, /keys\.0\.expires.*2027-01-31/],
      ['no model', { models: [] }, /"aider": Name at least one model/],
      ['a member that it does not know', { secret: 'key_x-for-all-the-tests' }, /secret/],
    ] as const) {
      it(`is rejected with an error that names ${name}`, () => {
        assert.throws(
          () => read({ keys: [{ ...KEY, ...change }] }, { ...environment, X_KEY: 'sk-x' }),
          (error) => error instanceof UsageError && complaint.test(error.message),
        );
      });
    }

    it('is rejected if two keys have the same secret', () => {
      assert.throws(() => read({ keys: [KEY, { ...KEY, name: 'b' }] }, environment), /"b" has the same secret/);
      assert.throws(() => read({ keys: [KEY] }, environment, '--key', 'key_aider-for-the-tests'), /--key/);
    });
  });

  it('is rejected if its file is missing', () => {
    assert.throws(() => readServeOptions(['--config', join(folder, 'none.json')], {}), UsageError);
  });
});
