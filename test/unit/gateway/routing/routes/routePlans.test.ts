import assert from 'node:assert/strict';
import type { UpstreamRequest } from '../../../../../src/gateway/core/upstream.ts';
import { Member } from '../../../../../src/gateway/routing/member.ts';
import { RequestFacts } from '../../../../../src/gateway/routing/routes/requestFacts.ts';
import type { RouteList } from '../../../../../src/gateway/routing/routes/routeEntry.ts';
import { RoutePlans } from '../../../../../src/gateway/routing/routes/routePlans.ts';
import { RouteTable } from '../../../../../src/gateway/routing/routes/routeTable.ts';
import { SessionPins } from '../../../../../src/gateway/routing/routes/sessionPins.ts';
import { InstantUpstream } from '../../support/instantUpstream.ts';

const REQUEST = {
  endpoint: '/chat/completions',
  method: 'POST',
  subpath: '',
  query: '',
  headers: {},
  localKeyId: 'key',
  callerFormat: 'chat-completions',
} as const;

describe('the plans of a route', () => {
  const plansOf = (routes: RouteList) => {
    const table = new RouteTable(routes);
    const member = new Member({ upstream: new InstantUpstream() });
    const looked: string[] = [];
    const expand = (models: readonly string[]) => {
      looked.push(models.join());
      return models.map((model) => ({ member, model }));
    };
    const plans = new RoutePlans(table, expand, new SessionPins());
    const plan = (requestClass: 'main' | 'auxiliary') => {
      const session = { ids: undefined, requestClass, agentType: undefined, toolMs: undefined };
      const request: UpstreamRequest = { ...REQUEST, session };
      const route = table.find('coding');
      assert.ok(route);
      return plans.planRoute(route, request, new RequestFacts(request)).candidates.map(({ model }) => model);
    };
    return { plan, looked };
  };

  it('look up the upstreams of each list of models once, however many requests there are', () => {
    const { plan, looked } = plansOf({ coding: { use: ['a', 'b'], when: [{ class: 'auxiliary', use: ['c'] }] } });
    for (let nth = 0; nth < 3; nth++) {
      assert.deepEqual(plan('main'), ['a', 'b']);
      assert.deepEqual(plan('auxiliary'), ['c']);
    }
    assert.deepEqual(looked, ['a,b', 'c']);
  });

  it('apply the rules of a route in another one to each request', () => {
    const { plan } = plansOf({
      coding: { use: ['inner', 'b'] },
      inner: { use: ['a'], when: [{ class: 'auxiliary', use: ['c'] }] },
    });
    assert.deepEqual(plan('main'), ['a', 'b']);
    assert.deepEqual(plan('auxiliary'), ['c', 'b']);
  });
});
