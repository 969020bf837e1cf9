import type { WireFormat } from '../../formats/wireFormat.ts';
import type { ParameterName, ParameterValues } from '../../pages/chat/protocol.ts';
import { buildRequest } from '../request.ts';

/** Sample values, to find the parameters that a format drops before they are set. */
const SAMPLE_VALUES: Required<ParameterValues> = {
  systemPrompt: 'Be brief.',
  maxTokens: 1024,
  temperature: 1,
  reasoningEffort: 'low',
  stopSequences: ['END'],
};

const NAMES = Object.keys(SAMPLE_VALUES) as ParameterName[];

/** The parameters that this format does not support, as the format itself reports them. */
export function droppedParameters(
  format: Pick<WireFormat, 'droppedFromRequest'>,
  values: ParameterValues,
): ParameterName[] {
  return NAMES.filter((name) => {
    const only = { [name]: isDecided(values[name]) ? values[name] : SAMPLE_VALUES[name] };
    const request = buildRequest(
      [],
      { model: '', systemPrompt: '', maxTokens: SAMPLE_VALUES.maxTokens, ...only },
      () => undefined,
    );
    return format.droppedFromRequest(request).length > 0;
  });
}

/** An empty text or list counts as not set. */
function isDecided(value: ParameterValues[ParameterName]): boolean {
  return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : value !== undefined;
}
