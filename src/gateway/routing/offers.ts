/** Which upstreams offer a model. The router and the editor's page of routes decide it with the same code. */
import type { ModelPatterns } from '../core/modelPattern.ts';

interface Offering {
  readonly id: string;
  readonly models: ModelPatterns;
}

interface UpstreamOffer<Member> {
  readonly member: Member;
  readonly model: string;
}

/** Returns the members that offer a name or its alias. Those with the most specific pattern come first. */
export function offersOf<Member extends Offering>(
  name: string,
  members: ReadonlyMap<string, Member>,
  aliases: ReadonlyMap<string, string>,
): UpstreamOffer<Member>[] {
  const model = aliases.get(name) ?? name;
  const slash = model.indexOf('/');
  const chosen = members.get(model.slice(0, slash));
  if (chosen !== undefined) return [{ member: chosen, model: model.slice(slash + 1) }];
  const fitting = [...members.values()].flatMap((member) => {
    const fit = member.models.fit(model);
    return fit === undefined ? [] : [{ member, model, fit }];
  });
  return fitting.sort((a, b) => (a.fit === b.fit ? 0 : b.fit - a.fit));
}

/** Returns the offers in the order of the names, without duplicates. */
export function offersOfAll<Member extends Offering>(
  names: readonly string[],
  members: ReadonlyMap<string, Member>,
  aliases: ReadonlyMap<string, string>,
): UpstreamOffer<Member>[] {
  const found = names.flatMap((name) => offersOf(name, members, aliases));
  return found.filter(
    ({ member, model }, at) => found.findIndex((each) => each.member === member && each.model === model) === at,
  );
}
