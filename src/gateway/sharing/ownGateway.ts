import { errorText } from '../../display/errors.ts';
import { defined } from '../../formats/json.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { SessionNotice } from '../core/sessionNotice.ts';
import type { Upstream } from '../core/upstream.ts';
import { WindowBranches } from '../core/windowBranches.ts';
import { Sampler } from '../counting/sampler.ts';
import { Bookkeeper } from '../exchanges/bookkeeper.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import { RequestQueues } from '../rateLimits/requestQueues.ts';
import type { SandboxSettings, UpstreamSettings, Upstreams } from '../routing/upstreams.ts';
import { Gateway, type GatewayAddress, type GatewayOptions } from '../server/gateway.ts';
import type { SessionLoop } from '../server/sessionTracker.ts';
import type { RunningExchange, TrafficAnswer, TrafficQuestion } from '../traffic/protocol.ts';
import { Traffic } from '../traffic/traffic.ts';
import type { GatewaySettings, ListenCommand } from './protocol.ts';

export interface OwnGatewayEvents {
  readonly onRecord: (record: ExchangeRecord) => void;
  readonly onEntered: (ids: readonly string[]) => void;
  readonly onProblem: (message: string) => void;
  readonly onSessionNotice: (notice: SessionNotice) => void;
}

/** The gateway that this worker runs itself, with its upstream and its books. */
export class OwnGateway {
  /** The branches of the windows that share the gateway. */
  readonly branches = new WindowBranches();
  readonly #upstreams: Upstreams;
  readonly #events: OwnGatewayEvents;
  readonly #traffic = new Traffic();
  #gateway: Gateway | undefined;
  #upstream: Upstream | undefined;
  #books: Bookkeeper | undefined;
  #queues: RequestQueues | undefined;
  #mayCapture = false;
  readonly #knownSecrets = new Map<string, KnownSecret>();
  /** Names of the local keys by ID. */
  #keyNames: ReadonlyMap<string, string> = new Map();

  constructor(upstreams: Upstreams, events: OwnGatewayEvents) {
    this.#upstreams = upstreams;
    this.#events = events;
  }

  /** @throws the operating system's error if the port cannot be bound, or a TypeError if the upstream is invalid. */
  async open(command: ListenCommand, onConnect?: GatewayOptions['onConnect']): Promise<GatewayAddress> {
    const { port, localKeys, allowedOrigins, allowedHosts, upstream, sandbox, ledger } = command;
    const { onEntered, onProblem, onSessionNotice } = this.#events;
    const opened = await this.#open(upstream, sandbox);
    this.#mayCapture = command.isTrusted === true;
    this.#traffic.setCapturing(this.#mayCapture && command.captureBodies === true);
    this.#setLocalKeys(localKeys);
    this.#traffic.addSecrets(upstreamKeys(upstream));
    const onRecord = (record: ExchangeRecord) => {
      this.#traffic.ended(record);
      this.#events.onRecord(record);
    };
    if (ledger !== undefined) this.#upstreams.keepBeside(ledger);
    const books = new Bookkeeper({
      ...(ledger !== undefined && { ledger }),
      onRecord,
      onEntered,
      onProblem,
      onSessionNotice,
    });
    books.setLimits(command.limits ?? {});
    const queues = new RequestQueues();
    const gateway = new Gateway({
      localKeys,
      ...defined({ allowedOrigins, allowedHosts }),
      upstream: opened,
      books,
      queues,
      secretPolicy: command.secretPolicy ?? 'off',
      onLoop: (loop) => this.#noticeLoop(loop),
      endsLoops: command.endLoops === true,
      measuresContext: command.measureContext ?? true,
      traffic: this.#traffic,
      sampler: new Sampler(this.#upstreams.counter),
      onRefusedCallers: onProblem,
      estimator: this.#upstreams.counter,
      findBranch: this.branches.find,
      onError: (error) => onProblem(errorText(error)),
      ...(onConnect !== undefined && { onConnect }),
    });
    for (const secret of command.knownSecrets ?? []) this.#knownSecrets.set(secret.value, secret);
    gateway.setKnownSecrets([...this.#knownSecrets.values()]);
    gateway.setRecordingRepositories(command.recordRepositories === true);
    try {
      const address = await gateway.listen(port);
      this.#gateway = gateway;
      this.#upstream = opened;
      this.#books = books;
      this.#queues = queues;
      return address;
    } catch (error) {
      this.#release(opened);
      await books.close();
      throw error;
    }
  }

  /**
   * Does nothing if the gateway is not open.
   * @throws {TypeError} if the upstream is invalid. Then nothing is changed.
   */
  async change(settings: Partial<GatewaySettings>): Promise<void> {
    const { upstream, localKeys, allowedOrigins, limits } = settings;
    if (upstream !== undefined) {
      this.#traffic.addSecrets(upstreamKeys(upstream));
      await this.#setUpstream(upstream);
    }
    if (localKeys !== undefined) {
      this.#gateway?.setLocalKeys(localKeys);
      this.#setLocalKeys(localKeys);
    }
    if (allowedOrigins !== undefined) this.#gateway?.setAllowedOrigins(allowedOrigins);
    if (limits !== undefined) this.#books?.setLimits(limits);
    const { captureBodies, secretPolicy, knownSecrets, endLoops, measureContext, recordRepositories } = settings;
    if (captureBodies !== undefined) this.#traffic.setCapturing(this.#mayCapture && captureBodies);
    if (secretPolicy !== undefined) this.#gateway?.setSecretPolicy(secretPolicy);
    if (knownSecrets !== undefined) this.#addKnownSecrets(knownSecrets);
    if (endLoops !== undefined) this.#gateway?.setEndingLoops(endLoops);
    if (measureContext !== undefined) this.#gateway?.setMeasuringContext(measureContext);
    if (recordRepositories !== undefined) this.#gateway?.setRecordingRepositories(recordRepositories);
  }

  /** Called when the user has granted trust to this window's folder. */
  grantTrust(captureBodies: boolean): void {
    this.#mayCapture = true;
    this.#traffic.setCapturing(captureBodies);
  }

  get running(): readonly RunningExchange[] {
    return this.#gateway?.running ?? [];
  }

  /** Details of recent exchanges outlive the gateway, until the worker ends. */
  async answer(question: TrafficQuestion): Promise<TrafficAnswer> {
    switch (question.kind) {
      case 'details':
        return { kind: 'details', details: this.#traffic.details(question.id) };
      case 'body':
        return { kind: 'body', body: await this.#traffic.body(question.id, question.part) };
      case 'captured':
        return { kind: 'captured', ids: this.#traffic.captured(question.ids) };
      case 'cancel':
        this.#gateway?.cancel(question.id);
        return { kind: 'done' };
      case 'deleteBodies':
        this.#traffic.deleteBodies();
        return { kind: 'done' };
      case 'queues':
        return { kind: 'queues', queues: this.#queues?.states ?? [] };
      case 'health':
        return { kind: 'health', problems: this.#upstream?.problems?.() ?? [] };
      case 'refusals':
        return { kind: 'refusals', refusals: this.#upstreams.refusals.listed };
      case 'forgetRefusals':
        this.#upstreams.refusals.remove(question.ids);
        return { kind: 'done' };
      case 'fileNames':
        return { kind: 'fileNames', names: this.#gateway?.fileNames(question.hashes) ?? {} };
      case 'cappedSessions':
        return { kind: 'cappedSessions', sessions: this.#books?.cappedSessions ?? [] };
      case 'decideSession':
        if (question.decision === 'end') this.#gateway?.endSession(question.sessionId);
        else this.#books?.raiseSessionCap(question.sessionId, question.decision.cap);
        this.#events.onSessionNotice({ kind: 'decided', sessionId: question.sessionId });
        return { kind: 'done' };
    }
  }

  /** Frees the port synchronously. Resolves when all running requests have ended and are recorded. */
  async close(graceMs: number | undefined): Promise<void> {
    const [gateway, upstream, books] = [this.#gateway, this.#upstream, this.#books];
    this.#gateway = undefined;
    this.#upstream = undefined;
    this.#books = undefined;
    this.#queues = undefined;
    await gateway?.close(graceMs);
    await books?.close();
    this.#release(upstream);
  }

  #setLocalKeys(keys: readonly IssuedKey[]): void {
    this.#traffic.addSecrets(keys.map(({ secret }) => secret));
    this.#keyNames = new Map(keys.map(({ id, name }) => [id, name]));
  }

  /** Each window names those of its own folders. */
  #addKnownSecrets(secrets: readonly KnownSecret[]): void {
    for (const secret of secrets) this.#knownSecrets.set(secret.value, secret);
    this.#gateway?.setKnownSecrets([...this.#knownSecrets.values()]);
  }

  #noticeLoop({ sessionId, localKeyId, rounds, isEnded }: SessionLoop): void {
    const keyName = this.#keyNames.get(localKeyId) ?? '';
    this.#events.onSessionNotice({ kind: 'loops', sessionId, keyName, rounds, isEnded });
  }

  async #setUpstream(settings: UpstreamSettings): Promise<void> {
    if (this.#gateway === undefined) return;
    const before = this.#upstream;
    this.#upstream = await this.#open(settings);
    this.#release(before, this.#gateway.setUpstream(this.#upstream));
  }

  /** All gateways and keys of the worker belong to the same user and share one sandbox with its credit. */
  #open(upstream: UpstreamSettings, sandbox?: SandboxSettings): Promise<Upstream> {
    return this.#upstreams.open(upstream, sandbox);
  }

  /**
   * Closes an upstream when its last request has ended, without waiting for it.
   * @param unused resolves when no more requests will be sent to it.
   */
  #release(upstream: Upstream | undefined, unused: Promise<void> = Promise.resolve()): void {
    if (upstream === undefined) return;
    unused
      .then(() => this.#upstreams.release(upstream))
      .catch((error: unknown) => this.#events.onProblem(errorText(error)));
  }
}

function upstreamKeys(settings: UpstreamSettings): string[] {
  switch (settings.kind) {
    case 'sandbox':
      return [];
    case 'hosted':
      return [settings.serviceKey];
    case 'routed':
      return [
        ...settings.upstreams.flatMap(({ apiKey = [], furtherKeys = [], maskedTexts = [] }) =>
          [apiKey, furtherKeys, maskedTexts].flat(),
        ),
        ...(settings.service === undefined ? [] : upstreamKeys(settings.service)),
      ];
  }
}
