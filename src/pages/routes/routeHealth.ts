/** What the gateway knows against the targets of routes, in sentences. */
import * as l10n from '@vscode/l10n';
import { formatClock, formatClockSeconds } from '../../display/time.ts';
import type { HealthProblem } from '../../gateway/core/healthProblem.ts';
import { offersOf } from '../../gateway/routing/offers.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import { aliasesOf, membersOf } from './routeTrial.ts';

/** Returns the problems of those names that have any. */
export function healthTexts(
  names: Iterable<string>,
  known: KnownNames,
  problems: readonly HealthProblem[],
): Readonly<Record<string, string>> {
  if (problems.length === 0) return {};
  const [members, aliases] = [membersOf(known), aliasesOf(known)];
  const texts = [...new Set(names)].map((name) => {
    const offers = offersOf(name, members, aliases);
    const found = offers.flatMap(({ member: { id }, model }) => {
      const own = problems.filter((each) => each.upstream === id && (each.model ?? model) === model);
      const text = own.map(problemText).join(' ');
      return text === '' ? [] : [offers.length > 1 ? `${id}: ${text}` : text];
    });
    return [name, found.join(' ')] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

const PAUSE_TEXTS: Readonly<Record<Exclude<HealthProblem['reason'], 'failing'>, (time: string) => string>> = {
  rate: (time) => l10n.t('Paused until {0} after a rate limit.', time),
  gone: (time) => l10n.t('Paused until {0}: the model was not found.', time),
  credit: (time) => l10n.t('Paused until {0}: out of credit.', time),
  auth: (time) => l10n.t('Paused until {0}: the key was rejected.', time),
};

function problemText({ reason, since, until = 0 }: HealthProblem): string {
  if (reason === 'failing') return l10n.t('Failing since {0}.', formatClock(since));
  return PAUSE_TEXTS[reason](formatClockSeconds(until));
}
