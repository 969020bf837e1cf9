import { RequestFacts } from '../../gateway/routing/routes/requestFacts.ts';
import { requestClass } from '../../gateway/sessions/clientSession.ts';
import type { CapturedBody, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { TrialForm } from './protocol.ts';

/** A request that was sent, described so that routes can be tried with it. */
export interface RecordedTrial {
  readonly form: TrialForm;
  /** False if its tools and images are unknown, because its body was not captured. */
  readonly isComplete: boolean;
}

/** Reads the facts with the gateway's own code. What is only in the body is unknown if it was not captured. */
export function trialOf(
  { model = '', agentType = '', usage }: Pick<ExchangeRow, 'model' | 'agentType' | 'usage'>,
  details: Pick<TrafficDetails, 'requestHeaders'> | undefined,
  captured: CapturedBody | undefined,
): RecordedTrial {
  const headers = Object.fromEntries(
    (details?.requestHeaders ?? []).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const form: TrialForm = {
    model,
    requestClass: requestClass(headers) ?? '',
    agent: agentType,
    tools: '',
    tokens: String(usage?.inputTokens ?? 0),
    hasImage: false,
  };
  const isComplete = captured?.isReadable === true && captured.keptBytes >= captured.bytes;
  if (!isComplete) return { form, isComplete };
  const text = captured.pieces.map(([, piece]) => piece).join('');
  const { tools, tokens, hasImage } = new RequestFacts({ body: Buffer.from(text) });
  const names = tools.flatMap(({ name, type }) => name ?? type ?? []);
  return { form: { ...form, tools: names.join(', '), tokens: String(tokens), hasImage }, isComplete };
}
