import assert from 'node:assert/strict';
import * as changes from '../../../../src/editor/routes/routeChanges.ts';
import { targetChoices } from '../../../../src/editor/routes/routeTargets.ts';
import { routeSummary, ruleText, targetsText } from '../../../../src/editor/routes/routeText.ts';
import { tryRoute } from '../../../../src/editor/routes/routeTrial.ts';
import { readRouteList, usableAliases } from '../../../../src/editor/settings/routeList.ts';
import type { RouteList } from '../../../../src/gateway/routing/routes/routeEntry.ts';

const KNOWN = { upstreams: [{ id: 'hosted', models: ['*'] }], aliases: { small: 'familya-haiku-4.5' } };
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
    assert.deepEqual(ROUTES.coding?.when?.map(ruleText), [
      'If the request is auxiliary (titles, summaries), use local/qwen',
      'If the request offers the tool web_search and it contains an image, use fast',
      'If it has more than 180,000 tokens, use long',
    ]);
  });

  it('lists targets in order, and the number of rules', () => {
    assert.equal(targetsText(['a', 'b', 'c']), 'a, then b, then c');
    assert.deepEqual(Object.values(ROUTES).map(routeSummary), ['3 rules', '']);
  });

  it('offers models with their prices, models of upstreams by name, and other routes', () => {
    const models = [{ id: 'm', inputPrice: 3, outputPrice: 15, raw: {} }];
    const upstreams = [
      { id: 'local', baseUrl: 'http://127.0.0.1', formats: ['messages' as const], models: ['q', '*'] },
    ];
    const choices = targetChoices({ models, upstreams, routes: ROUTES }, 'coding');
    assert.deepEqual(
      choices.map(({ value, description }) => [value, description]),
      [
        ['m', '$3.00 in, $15.00 out per 1M tokens'],
        ['local/q', undefined],
        ['fast', 'another route'],
      ],
    );
  });
});

describe('testing a request against a route', () => {
  const request = { tools: [], inputTokens: 1200, hasImage: false };
  const trial = (more: object) => tryRoute(ROUTES, 'coding', { ...request, ...more });

  it('returns the matching rule, and the models behind another route', () => {
    assert.deepEqual(trial({ requestClass: 'auxiliary' }), { models: ['local/qwen'], rule: 0 });
    assert.deepEqual(trial({ tools: ['web_search'], hasImage: true }), { models: ['familya-haiku-4.5'], rule: 1 });
    assert.deepEqual(trial({ inputTokens: 200_000 }), { models: ['long'], rule: 2 });
  });

  it('follows an alias of a route', () => {
    const routes: RouteList = { coding: { use: ['small'] }, quick: { use: ['local/qwen'] } };
    assert.deepEqual(tryRoute(routes, 'coding', request, { small: 'quick' })?.models, ['local/qwen']);
  });

  it('uses the targets of the route if no rule matches', () => {
    assert.deepEqual(trial({ tools: ['web_search'] }), { models: ['familya-sonnet-4.6', 'vendor/sonnet'] });
  });

  it('returns nothing for an unknown route', () => {
    assert.equal(tryRoute(ROUTES, 'slow', request), undefined);
  });
});

describe('changes to routes', () => {
  it('move an item up and remove one', () => {
    assert.deepEqual(changes.movedUp(['a', 'b', 'c'], 2), ['a', 'c', 'b']);
    assert.deepEqual(changes.movedUp(['a', 'b'], 0), ['a', 'b']);
    assert.deepEqual(changes.without(['a', 'b'], 0), ['b']);
  });

  it('leave no empty lists behind', () => {
    const route = { use: ['m'], when: [{ image: true, use: ['m'] }], also: ['credit' as const] };
    assert.deepEqual(changes.withTriggers(changes.withRules(route, []), []), { use: ['m'] });
  });

  it('find the routes that use another one', () => {
    assert.deepEqual(changes.usersOf(ROUTES, 'fast'), ['coding']);
    assert.deepEqual(changes.usersOf(changes.withoutRoute(ROUTES, 'coding'), 'fast'), []);
  });
});
