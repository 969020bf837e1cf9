/** Forms that begin empty, and the names of routes, which other routes may use. */
import type { RouteForm, RuleForm, TrialForm } from '../../pages/routes/protocol.ts';

export const NO_TRIAL: TrialForm = {
  model: '',
  requestClass: '',
  agent: '',
  tools: '',
  tokens: '1000',
  hasImage: false,
};
export const NEW_ROUTE: RouteForm = {
  name: 'new-route',
  use: [''],
  when: [],
  also: [],
  limits: { firstTokenSeconds: '', idleSeconds: '', totalSeconds: '' },
};
export const NEW_RULE: RuleForm = {
  requestClass: '',
  agent: '',
  tool: '',
  image: '',
  tokensAbove: '',
  tokensBelow: '',
  use: [''],
};

/** Returns the routes that use this one as a target. */
export function usersOf(routes: readonly RouteForm[], name: string): readonly string[] {
  return routes.flatMap(({ name: other, use, when }) => {
    const targets = [...use, ...when.flatMap((rule) => rule.use)];
    return other !== name && targets.includes(name) ? [other] : [];
  });
}

/** Renames a route, and the targets that refer to it. */
export function renamed(routes: readonly RouteForm[], index: number, name: string): readonly RouteForm[] {
  const old = routes[index]?.name;
  const inList = (targets: readonly string[]) => targets.map((target) => (target === old ? name : target));
  return routes.map((route, at) => ({
    ...route,
    name: at === index ? name : route.name,
    use: inList(route.use),
    when: route.when.map((rule) => ({ ...rule, use: inList(rule.use) })),
  }));
}

/** Returns the name, with a number if it is taken. */
export function nameAfter(name: string, taken: readonly string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count += 1) free = `${name}-${count}`;
  return free;
}
