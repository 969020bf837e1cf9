/** The usage that an upstream has reported for an answer. */
import type { FormatName } from '../../formats/conversation.ts';
import { type Usage, withoutReportedCost } from '../../formats/usage.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import { PAID_UPSTREAMS } from '../core/upstream.ts';
import type { UsageMeter } from './usageMeter.ts';
import type { UsageReader } from './usageReader.ts';

export interface ReportedCount {
  readonly usage: Usage;
  readonly isPartial: boolean;
  readonly model?: string | undefined;
  /** Whether the input was only reported before the answer. */
  readonly isInputEarly?: boolean;
  /** Whether the answer names a tier, speed, or region whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: boolean;
  /** Whether the answer reports how often the service has searched the web. Undefined if it was read elsewhere. */
  readonly reportsSearches?: boolean;
}

/** Returns what a meter has read until the end of the answer. */
export function reportedBy(meter: UsageMeter): ReportedCount | undefined {
  const usage = meter.end();
  return usage && reportedCount(usage, meter.reader, meter.format, meter.isFinal);
}

/** Returns what a whole answer reports. */
export function reportedIn(reader: UsageReader, format: FormatName): ReportedCount | undefined {
  const { usage } = reader;
  return usage && reportedCount(usage, reader, format, reader.isComplete && reader.isFinal);
}

function reportedCount(usage: Usage, reader: UsageReader, format: FormatName, isFinal: boolean): ReportedCount {
  const { isInputEarly, hasUnlistedPrice, model } = reader;
  return {
    usage: usage.webSearches === 0 ? withoutSearches(usage) : usage,
    isPartial: !isFinal || usage.inputTokens === 0,
    model,
    isInputEarly,
    hasUnlistedPrice,
    // The messages format always reports how many there were, unless there were none.
    reportsSearches: format === 'messages' || usage.webSearches !== undefined,
  };
}

/** Removes a reported amount if the service key pays: that bill follows from its prices, whatever answers contain. */
export function asBilled<Reported extends Usage | undefined>(
  usage: Reported,
  { upstream }: CountedModel,
): Usage | Reported {
  return PAID_UPSTREAMS.has(upstream) ? withoutReportedCost(usage) : usage;
}

/** Like tokens of rare kinds, searches are only entered if there were some. */
function withoutSearches({ webSearches: _, ...usage }: Usage): Usage {
  return usage;
}
