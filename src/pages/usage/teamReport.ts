import { daysBetween, mondayOf } from '../../display/day.ts';
import type { ApiClient } from '../../service/apiClient.ts';
import type { TeamDay, TeamSums } from '../../service/teamUsage.ts';
import type { UsagePeriod, UsageReport, UsageSpend, UsageSums, UsageUnit } from './protocol.ts';

/** With more days, the plot has a bar for each week, as for the local ledger. */
const MAX_BARS = 92;

/**
 * Reads the usage of the client's key from its team's gateway. The gateway has sums by day, so a single day has one bar,
 * and there is nothing about tools and conversations, which only this computer knows.
 * @throws {ServiceError}
 */
export async function readTeamReport(client: ApiClient, period: UsagePeriod): Promise<UsageReport> {
  const { models, total, days } = await client.teamUsage(period.first, period.last);
  const unit = daysBetween(period.first, period.last).length > MAX_BARS ? 'week' : 'day';
  return {
    ...{ period, unit, totals: sumsOf(total), spends: spendsOf(days, unit) },
    models: models.map((model) => ({
      ...sumsOf(model),
      name: model.name,
      ...(model.firstByte !== undefined && { firstByte: model.firstByte }),
    })),
    ...(total.firstByte !== undefined && { firstByte: { ...total.firstByte, exchanges: total.exchanges, bars: [] } }),
    ...{ moments: [], callers: [], pace: { days: 0, cost: 0 } },
  };
}

function sumsOf({ firstByte: _, ...sums }: TeamSums): UsageSums {
  return sums;
}

function spendsOf(days: readonly TeamDay[], unit: UsageUnit): readonly UsageSpend[] {
  const bars = new Map<string, UsageSpend>();
  for (const { day, model, cost, exchanges, estimated } of days) {
    // Requests for the catalog and the balance have no model.
    if (model === '') continue;
    const time = unit === 'week' ? mondayOf(day) : day;
    const key = `${time} ${model}`;
    const bar = bars.get(key) ?? { time, model, cost: 0, exchanges: 0, estimated: 0 };
    bars.set(key, {
      ...bar,
      cost: bar.cost + cost,
      exchanges: bar.exchanges + exchanges,
      estimated: bar.estimated + estimated,
    });
  }
  return [...bars.values()];
}
