/**
 * Answers of servers that users of other products have reported, in our own words; the log of all reports is in
 * `test/field/README.md`.
 */
import { assembleResponse } from '../../../../src/formats/answer.ts';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { ServerSentEventDecoder } from '../../../../src/formats/serverSentEvents.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import { AGENTS } from './reported/agentReports.ts';
import { CALLS } from './reported/callReports.ts';
import { FORMATS, type Format, type Seen } from './reported/report.ts';
import { REQUESTS } from './reported/requestReports.ts';
import { STREAMS } from './reported/streamReports.ts';
import { USAGES } from './reported/usageReports.ts';

const REPORTS = [...STREAMS, ...CALLS, ...USAGES, ...AGENTS, ...REQUESTS];

function read(format: FormatName, text: string, status: number): Pick<Seen, 'answer' | 'error'> {
  const wire = wireFormats[format];
  if (status >= 400 || text.startsWith('{')) {
    const error = status >= 400 ? (wire.decodeError(JSON.parse(text))?.message ?? text) : undefined;
    return { error, answer: error === undefined ? wire.decodeResponse(JSON.parse(text)) : undefined };
  }
  const decoder = wire.createStreamDecoder();
  const bytes = new ServerSentEventDecoder();
  const items = [...bytes.push(Buffer.from(text)), ...bytes.end()].map((event) => wire.parseEvent(event));
  const events = [...items.flatMap((item) => decoder.push(item)), ...decoder.end()];
  const failed = events.find((event) => event.type === 'error');
  return { error: failed?.error.message, answer: failed === undefined ? assembleResponse(events) : undefined };
}

describe('an answer that users of other products have reported', () => {
  afterEach(closeAll);

  for (const { source, pair, says: words, answer, check, whole, request: asked, sent } of REPORTS) {
    it(`${words}: ${source}, ${pair[0]}→${pair[1]}`, async () => {
      const [caller, upstream] = [...pair].map((each) => FORMATS[each as Format]) as [FormatName, FormatName];
      const router = await startRouter([{ formats: [upstream], apiKey: 'key_of-the-upstream', script: () => answer }]);
      const question = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] };
      const request = { model: 'm', maxTokens: 50, system: [], messages: [question], stream: whole !== true };
      const body = JSON.stringify(
        asked === undefined ? wireFormats[caller].encodeRequest(request) : { model: 'm', ...asked },
      );
      const recorded = router.nextRecord();
      const { status, body: bytes } = await send({
        port: router.port,
        path: `/api/v1${wireFormats[caller].path}`,
        body,
      });
      const text = bytes.toString();
      sent?.(router.servers[0]?.requests.findLast(({ format }) => format !== undefined)?.body);
      check({ status, text, record: await recorded, ...read(caller, text, status) });
    });
  }
});
