/** Entry point of the worker thread in which the extension runs its gateway and the sandbox. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../display/errors.ts';
import { CallLedger } from '../../ledger/callLedger.ts';
import { LedgerThread } from '../../ledger/ledgerThread.ts';
import { ContextWatch } from '../context/contextWatch.ts';
import { Upstreams } from '../routing/upstreams.ts';
import { EditorPort } from '../upstreams/editorModels/editorPort.ts';
import { SpentFile, SpentInMemory } from '../upstreams/sandbox/spentFile.ts';
import { WorkerListener } from './listener.ts';
import type { HostMessage, WorkerMessage, WorkerSettings } from './protocol.ts';
import { WorkerRequests } from './requests.ts';

if (parentPort === null) throw new Error('worker.ts runs in a worker thread; without one, run serve.ts.');
const port = parentPort;
const post = (message: WorkerMessage) => port.postMessage(message);

const editor = new EditorPort(post);
const warn = (message: string) => post({ type: 'log', level: 'warn', message });
const { sandboxAccount } = (workerData ?? {}) as Partial<WorkerSettings>;
const spent = sandboxAccount === undefined ? new SpentInMemory() : new SpentFile(sandboxAccount, warn);
const upstreams = new Upstreams({ sharedCredit: true, spent }, warn, editor.ask);
const listener = new WorkerListener(upstreams, post);
const requests = new WorkerRequests(upstreams, post);
const calls = new CallLedger(warn);
const ledger = new LedgerThread(warn);
const contexts = new ContextWatch(undefined, (error) => warn(errorText(error)));

async function receive(message: HostMessage): Promise<void> {
  switch (message.type) {
    case 'stop':
      return stop(message.graceMs);
    case 'ask':
      return requests.ask(message);
    case 'cancel':
      return requests.cancel(message.requestId);
    case 'setSandboxDelay':
      return upstreams.setSandboxDelay(message.delayMs);
    case 'restartSandbox':
      return spent.clear();
    case 'editorAnswer':
      return editor.receive(message);
    case 'beginCall':
      return calls.begin(message.ledger, message.entry, message.session);
    case 'recordCall':
      return calls.record(message.ledger, message.entry, message.session);
    case 'measureCall':
      return measure(message);
    case 'openSampleSession':
      return openSample(message);
    case 'recordBalance':
      return calls.recordBalance(message.ledger, message.reading);
    case 'readLedger':
      calls.flush();
      return readLedger(message);
    case 'reportCalls':
      // Other windows read the ledger as soon as they see that a request has ended.
      calls.flush();
      return listener.observe(message);
    case 'watchTraffic':
    case 'askTraffic':
    case 'reportBranch':
    case 'grantTrust':
      return listener.observe(message);
    default:
      return listener.run(message);
  }
}

async function readLedger({ requestId, question }: Extract<HostMessage, { type: 'readLedger' }>): Promise<void> {
  post({ type: 'ledgerAnswer', requestId, ...(await ledger.read(question)) });
}

async function openSample({ requestId, ledger: path }: Extract<HostMessage, { type: 'openSampleSession' }>) {
  try {
    const { openSampleSession } = await import('./sampleSession.ts');
    const sessionId = await openSampleSession({
      ledger: path,
      read: (question) => ledger.read(question),
      onEntered: (ids) => post({ type: 'entered', ids }),
      onProblem: warn,
    });
    post({ type: 'sampleSession', requestId, sessionId });
  } catch (error) {
    post({ type: 'sampleSession', requestId, problem: errorText(error) });
  }
}

/** The chat of a session is one lane, whatever its kinds of requests: their first messages differ. */
async function measure({
  ledger: path,
  entry,
  session,
  body,
  keepsNames,
}: Extract<HostMessage, { type: 'measureCall' }>) {
  const lane = `${session?.session} ${session?.agent ?? ''}`;
  const context = await contexts.measure({ model: entry.model ?? '', lane, body: Buffer.from(body.buffer) });
  if (context !== undefined) calls.addContext(path, entry, context, keepsNames);
}

async function stop(graceMs: number | undefined): Promise<void> {
  await listener.run({ type: 'leave', ...(graceMs !== undefined && { graceMs }) });
  await requests.close();
  await upstreams.close();
  await contexts.close();
  calls.close();
  await ledger.close();
  port.close();
}

port.on('message', (message: HostMessage) => {
  void receive(message);
});
// The host has closed the port, so there is no one to report to, and nothing may keep the thread alive.
port.on('close', () => process.exit());

// An error in one exchange must not end the others, and it must be logged.
function report(error: unknown): void {
  post({
    type: 'log',
    level: 'error',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
