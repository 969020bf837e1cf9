import assert from 'node:assert/strict';
import { ruleText, targetsText } from '../../../../src/display/routeConditions.ts';
import type { RouteList } from '../../../../src/gateway/routing/routes/routeEntry.ts';
import type { KnownNames } from '../../../../src/gateway/routing/routes/routeErrors.ts';
import type { RouteForm } from '../../../../src/pages/routes/protocol.ts';
import { formsOf, readForms } from '../../../../src/pages/routes/routeForms.ts';
import { routeTargets } from '../../../../src/pages/routes/routeTargets.ts';
import { tryRequest } from '../../../../src/pages/routes/routeTrial.ts';
import { renamed, usersOf } from '../../../../src/panels/routes/forms.ts';
import { readRouteList, usableAliases } from '../../../../src/settings/routeList.ts';

const KNOWN = { upstreams: [{ id: 'hosted', models: ['*'] }], aliases: { small: 'familya-haiku-4.5' } };
const ALIASED = { aliases: { small: 'qwen' } };
const STRICT = { upstreams: [{ id: 'local', models: ['qwen'] }], aliases: {} };

const ROUTES: RouteList = {
  coding: {
    use: ['familya-sonnet-4.6', 'vendor/sonnet'],
    when: [
      { class: 'auxiliary', use: ['local/qwen'] },
      { tool: 'web_search', image: true, use: ['fast'] },
      { tokensAbove: 180_000, use: ['long'] },
    ],
  },
  fast: { use: ['familya-haiku-4.5'] },
};

describe('the routes setting', () => {
  it('is read if all names in it can be resolved', () => {
    assert.deepEqual(readRouteList(ROUTES, KNOWN), { routes: ROUTES, problems: [] });
  });

  for (const [what, value, problem] of [
    ['no object', 7, /^modelAccess\.routes: /],
    ['a route without targets', { a: { use: [] } }, /^modelAccess\.routes\.a\.use: /],
    ['an unknown trigger', { a: { use: ['m'], also: ['sometimes'] } }, /^modelAccess\.routes\.a\.also\.0: "sometimes"/],
    ['a rule without conditions', { a: { use: ['m'], when: [{ use: ['m'] }] } }, /^modelAccess\.routes\.a\.when\.0: /],
    ['an unknown member', { a: { use: ['m'], wen: [] } }, /^modelAccess\.routes\.a: .*wen/],
  ] as const) {
    it(`is rejected with its path for ${what}`, () => {
      const { routes, problems } = readRouteList(value, KNOWN);
      assert.equal(routes, undefined);
      assert.match(problems.join(), problem);
    });
  }

  it('is rejected for a cycle, an alias of the same name, and an unknown name', () => {
    const circle = readRouteList({ a: { use: ['b'] }, b: { use: ['a'] } }, KNOWN);
    assert.match(circle.problems[0] ?? '', /^modelAccess\.routes\.a\.use\.0: “b” refers back to this route\./);
    const alias = readRouteList({ small: { use: ['m'] } }, KNOWN);
    assert.deepEqual(alias.problems, [
      'modelAccess.routes.small: “small” is also the name of an alias. Rename one of them.',
    ]);
    const behind = readRouteList({ a: { use: ['b'] } }, { ...KNOWN, aliases: { b: 'a' } });
    assert.match(behind.problems[0] ?? '', /^modelAccess\.routes\.a\.use\.0: “b” refers back to this route\./);
    const unknown = readRouteList({ a: { use: ['qwem'] } }, STRICT);
    assert.deepEqual(unknown.problems, [
      'modelAccess.routes.a.use.0: No upstream offers “qwem”. Use one of: local/*, qwen.',
    ]);
  });
});

describe('alias targets in the settings', () => {
  it('are reported with path, value and allowed names if no upstream offers them', () => {
    const aliases = { small: 'qwen', main: 'coding', chosen: 'local/llama', lost: 'qwem', twice: 'small' };
    const { aliases: usable, problems } = usableAliases(ROUTES, { ...STRICT, aliases });
    assert.deepEqual(usable, { small: 'qwen', main: 'coding', chosen: 'local/llama' });
    assert.deepEqual(problems, [
      'modelAccess.gateway.aliases.lost: No upstream offers “qwem”. Use one of: local/*, qwen, coding, fast.',
      'modelAccess.gateway.aliases.twice: No upstream offers “small”. Use one of: local/*, qwen, coding, fast.',
    ]);
  });

  it('are accepted if the service accepts every name', () => {
    assert.deepEqual(usableAliases({}, { ...KNOWN, aliases: { a: 'new-model' } }), {
      aliases: { a: 'new-model' },
      problems: [],
    });
  });
});

describe('a route in words', () => {
  it('describes the conditions of a rule and its targets in a sentence', () => {
    assert.deepEqual(
      ROUTES.coding?.when?.map(({ use, ...conditions }) => ruleText(conditions, use)),
      [
        'If the request is auxiliary (titles, summaries), use local/qwen',
        'If the request offers the tool web_search and it contains an image, use fast',
        'If it has more than 180,000 tokens, use long',
      ],
    );
    assert.equal(targetsText(['a', 'b', 'c']), 'a, then b, then c');
  });

  it('suggests models with their prices, models of upstreams by name, and aliases', () => {
    const models = [{ id: 'm', inputPrice: 3, outputPrice: 15, raw: {} }];
    const upstreams = [{ id: 'local', models: ['q', '*'] }];
    assert.deepEqual(routeTargets({ models, upstreams, aliases: { small: 'm' } }), [
      { name: 'm', detail: '$3.00 in, $15.00 out per 1M tokens' },
      { name: 'local/q', detail: '' },
      { name: 'small', detail: 'alias for m' },
    ]);
  });
});

describe('trying a request without sending it', () => {
  const known: KnownNames = {
    upstreams: [
      { id: 'local', models: ['qwen', 'familya-*'] },
      { id: 'vendor', models: ['sonnet'] },
      { id: 'hosted', models: ['*'] },
    ],
    aliases: { small: 'familya-haiku-4.5', quick: 'fast' },
  };
  const request = {
    model: 'coding',
    requestClass: undefined,
    agentType: undefined,
    tools: [],
    tokens: 1200,
    hasImage: false,
  };
  const trial = (more: object, routes = ROUTES) => {
    const { targets, ...found } = tryRequest(routes, { ...request, ...more }, known);
    return { ...found, targets: targets.map(({ upstream, model }) => `${upstream}/${model}`) };
  };

  it('returns the matching rule, and the upstreams of the models behind another route', () => {
    assert.deepEqual(trial({ requestClass: 'auxiliary' }), { route: 'coding', rule: 0, targets: ['local/qwen'] });
    assert.deepEqual(trial({ tools: ['web_search'], hasImage: true }), {
      route: 'coding',
      rule: 1,
      targets: ['local/familya-haiku-4.5', 'hosted/familya-haiku-4.5'],
    });
    assert.deepEqual(trial({ tokens: 200_000 }), { route: 'coding', rule: 2, targets: ['hosted/long'] });
  });

  it('finds a hosted tool by its type without the date, as the gateway does', () => {
    assert.equal(trial({ tools: ['web_search_20250305'], hasImage: true }).rule, 1);
    assert.equal(trial({ tools: ['web_search_tool'], hasImage: true }).rule, undefined);
  });

  it('uses the targets of the route if no rule matches', () => {
    assert.deepEqual(trial({ tools: ['web_search'] }), {
      route: 'coding',
      targets: ['local/familya-sonnet-4.6', 'hosted/familya-sonnet-4.6', 'vendor/sonnet'],
    });
  });

  it('follows an alias of a route and of a model', () => {
    const behind = ['local/familya-haiku-4.5', 'hosted/familya-haiku-4.5'];
    assert.deepEqual(trial({ model: 'quick' }), { route: 'fast', targets: behind });
    assert.deepEqual(trial({ model: 'small' }), { targets: behind });
  });

  it('names the upstreams of a model that is no route, and none if no upstream offers it', () => {
    assert.deepEqual(trial({ model: 'qwen' }), { targets: ['local/qwen', 'hosted/qwen'] });
    assert.deepEqual(tryRequest({}, { ...request, model: 'slow' }, STRICT), { targets: [] });
  });
});

describe('routes as the fields of a form', () => {
  const routes: RouteList = {
    ...ROUTES,
    fast: { use: ['familya-haiku-4.5'], also: ['credit'], limits: { idleSeconds: 0, totalSeconds: 30.5 } },
  };
  const [coding, fast] = formsOf(routes) as [RouteForm, RouteForm];
  const problemsOf = (forms: readonly RouteForm[], known: KnownNames = KNOWN) =>
    readForms(forms, known).problems.map(({ route, field, text }) => `${route} ${field}: ${text}`);

  it('are read back as they were', () => {
    assert.deepEqual(readForms(formsOf(routes), KNOWN), {
      routes,
      settings: Object.values(routes),
      problems: [],
    });
  });

  it('ignore white space and separators of thousands', () => {
    const [rule] = formsOf({ a: { use: ['m'], when: [{ image: true, use: ['m'] }] } })[0]?.when ?? [];
    assert.ok(rule);
    const form = { ...fast, name: ' a ', use: [' m '], when: [{ ...rule, tokensAbove: '180,000', agent: ' ' }] };
    assert.deepEqual(readForms([form], KNOWN).routes?.a?.when, [{ image: true, tokensAbove: 180_000, use: ['m'] }]);
  });

  it('say at the field what to enter', () => {
    const [rule] = coding.when;
    assert.ok(rule);
    const blank = { ...rule, requestClass: '' as const, tokensAbove: '', use: [] };
    assert.deepEqual(
      problemsOf([
        { ...fast, name: '', use: [''], when: [blank, { ...rule, tokensAbove: '-1' }] },
        { ...fast, limits: { ...fast.limits, idleSeconds: 'five' } },
      ]),
      [
        '0 name: Enter a name.',
        '0 use.0: Enter a model or a route.',
        '0 when.0: Fill in at least one condition.',
        '0 when.0.use: Add a target.',
        '0 when.1.tokensAbove: Enter a whole number of tokens, such as 180000.',
        '1 idleSeconds: Enter a number of seconds up to 86400, or leave the field empty.',
      ],
    );
  });

  it('are refused if two have the same name, because one would replace the other', () => {
    const { routes: read, problems } = readForms([fast, { ...coding, name: 'fast' }], KNOWN);
    assert.equal(read, undefined);
    assert.deepEqual(problems, [
      { route: 1, field: 'name', text: '“fast” is already a route or an alias. Enter another name.' },
    ]);
  });

  it('find what the gateway would refuse, at its field and with a similar name', () => {
    const dotted: RouteForm = { ...fast, name: 'a.use', use: ['a', 'qwem'] };
    const a: RouteForm = { ...fast, name: 'a', use: ['a.use'] };
    assert.deepEqual(problemsOf([a, dotted, { ...fast, name: 'small', use: ['local/x'] }], { ...STRICT, ...ALIASED }), [
      '0 use.0: “a.use” leads back to this route. Choose another target.',
      '1 use.0: “a” leads back to this route. Choose another target.',
      '1 use.1: No upstream offers “qwem”. Use a name such as local/*, qwen, small.',
      '2 name: “small” is already a route or an alias. Enter another name.',
    ]);
    const [problem] = readForms([{ ...fast, use: ['qwem'] }], STRICT).problems;
    assert.equal(problem?.suggestion, 'qwen');
    assert.equal(readForms([{ ...fast, use: ['gpt'] }], STRICT).problems[0]?.suggestion, undefined);
  });

  it('are renamed together with the targets that refer to them', () => {
    const [first, second] = renamed([coding, fast], 1, 'quick');
    assert.equal(second?.name, 'quick');
    assert.deepEqual(first?.when[1]?.use, ['quick']);
    assert.deepEqual(usersOf([coding, fast], 'fast'), ['coding']);
    assert.deepEqual(usersOf([fast], 'fast'), []);
  });
});
