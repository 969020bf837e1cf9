import type { ResponseStore } from '../core/responseStore.ts';
import type { MemberSettings, Upstream } from '../core/upstream.ts';
import { correctionsBeside } from '../counting/correctionsFile.ts';
import { TokenCounter } from '../counting/tokenCounter.ts';
import type { CompatibleSettings } from '../upstreams/compatible.ts';
import type { NetworkSettings } from '../upstreams/dispatcher.ts';
import type { AskEditor } from '../upstreams/editorModels/protocol.ts';
import { RefusalMemory, refusalsBeside } from '../upstreams/repairs/refusalMemory.ts';
import type { Sandbox, SandboxOptions } from '../upstreams/sandbox/sandbox.ts';
import type { RouterMemory } from './router.ts';
import type { RouteList } from './routes/routeEntry.ts';
import type { UpstreamHealth } from './upstreamHealth.ts';

/** An upstream that supports all endpoints. */
export type ServiceSettings =
  | { readonly kind: 'sandbox' }
  | {
      readonly kind: 'hosted';
      /** Including the path prefix, such as `https://host/api/v1`. */
      readonly baseAddress: string;
      readonly serviceKey: string;
      /** False if its chat-completions streams must not be asked for their usage. */
      readonly askUsage?: boolean;
      readonly network?: NetworkSettings;
    };

/** Several upstreams with their models. */
export interface RoutedSettings {
  readonly kind: 'routed';
  readonly upstreams: readonly CompatibleSettings[];
  /** An additional upstream, for models that no pattern matches more specifically. */
  readonly service?: ServiceSettings;
  /** Whether models of other extensions are offered, too. Only works in the editor's worker. */
  readonly editorModels?: boolean;
  /** Alternative model names for callers, each for a `model` or `upstream/model`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Names for callers, each for several models with rules. Must be checked for errors first. */
  readonly routes?: RouteList;
}

/** By upstream ID. */
type Health = ReadonlyMap<string, UpstreamHealth>;

/** Identifies an upstream. Can be sent between threads. */
export type UpstreamSettings = ServiceSettings | RoutedSettings;

export type SandboxSettings = Pick<SandboxOptions, 'credit' | 'sharedCredit' | 'spent' | 'delayMs'>;

/**
 * Opens upstreams, and closes those that are no longer used. All callers share one sandbox and its credit. The code of
 * an upstream is loaded when it is first opened.
 */
export class Upstreams {
  /** Counts tokens for all upstreams that do not. */
  readonly counter: TokenCounter;
  /** What all upstreams refuse. */
  readonly refusals: RefusalMemory;
  #sandboxDefaults: SandboxSettings;
  readonly #askEditor: AskEditor | undefined;
  readonly #responses: ResponseStore | undefined;
  #memory: RouterMemory | undefined;
  /** Keyed by the settings, because an upstream may be available again with another key or address. */
  #health: Health = new Map();
  #sandbox: Promise<OpenSandbox> | undefined;

  /**
   * @param askEditor undefined outside the editor.
   * @param responses default: a store in the memory of this process.
   */
  constructor(
    sandboxDefaults: SandboxSettings = {},
    onProblem?: (message: string) => void,
    askEditor?: AskEditor,
    responses?: ResponseStore,
  ) {
    this.#responses = responses;
    this.#sandboxDefaults = sandboxDefaults;
    this.#askEditor = askEditor;
    this.counter = new TokenCounter(onProblem);
    this.refusals = new RefusalMemory(onProblem);
  }

  /** @throws {TypeError} if a base address is not an HTTP or HTTPS address. */
  async open(settings: UpstreamSettings, sandbox: SandboxSettings = {}): Promise<Upstream> {
    switch (settings.kind) {
      case 'sandbox':
        this.#sandbox ??= openSandbox({ ...this.#sandboxDefaults, ...sandbox }, this.refusals);
        return (await this.#sandbox).upstream;
      case 'hosted': {
        const [{ createHosted }, { SingleUpstream }] = await Promise.all([loadHosted(), loadSingle()]);
        return new SingleUpstream(createHosted(settings, this.refusals), this.counter);
      }
      case 'routed':
        return this.#openRouter(settings, sandbox);
    }
  }

  /** Loads the code that `open` needs. */
  async load(settings: UpstreamSettings): Promise<void> {
    if (settings.kind === 'sandbox') await loadOfSandbox();
    else if (settings.kind === 'hosted') await Promise.all([loadHosted(), loadSingle()]);
    else
      await Promise.all([loadRouter(), loadCompatible(), ...(settings.service ? [this.load(settings.service)] : [])]);
  }

  /** Keeps what is learned of the upstreams in files beside the ledger, so that it survives a restart. */
  keepBeside(ledger: string): void {
    this.counter.keepIn(correctionsBeside(ledger));
    this.refusals.keepIn(refusalsBeside(ledger));
  }

  /** Sets the pause between the events of the sandbox's streams, in milliseconds, now and when it is opened. */
  async setSandboxDelay(delayMs: number): Promise<void> {
    this.#sandboxDefaults = { ...this.#sandboxDefaults, delayMs };
    (await this.#sandbox)?.sandbox.setDelay(delayMs);
  }

  /** Closes an upstream after its running requests. The sandbox stays open. */
  async release(upstream: Upstream): Promise<void> {
    if (upstream !== (await this.#sandbox)?.upstream) await upstream.close();
  }

  async close(): Promise<void> {
    await this.counter.close();
    await (await this.#sandbox)?.upstream.close();
  }

  async #openRouter(settings: RoutedSettings, sandbox: SandboxSettings): Promise<Upstream> {
    const { upstreams, service, aliases, routes } = settings;
    const [{ Router }, { createCompatible }] = await Promise.all([loadRouter(), loadCompatible()]);
    const ofEditor = await this.#editorMembers(settings);
    const members = [
      ...upstreams.map((each): MemberSettings => ({ ...each, upstream: createCompatible(each, this.refusals) })),
      ...ofEditor,
      ...(service === undefined ? [] : [await this.#serviceMember(service, sandbox)]),
    ];
    const health = await this.#keepHealth(members, [...upstreams, ...ofEditor.map(() => undefined), service]);
    return new Router(members, aliases, this.counter, routes, { ...(await this.#openMemory()), health });
  }

  async #serviceMember(service: ServiceSettings, sandbox: SandboxSettings): Promise<MemberSettings> {
    const upstream = await this.open(service, sandbox);
    return { upstream, hasBalance: true, isShared: service.kind === 'sandbox' };
  }

  /** Shared by all routers, so that a change of settings loses nothing. */
  async #openMemory(): Promise<RouterMemory> {
    const [{ MemoryResponseStore }, { SessionPins }] = await Promise.all([loadMemoryResponses(), loadPins()]);
    this.#memory ??= { responses: this.#responses ?? new MemoryResponseStore(), pins: new SessionPins() };
    return this.#memory;
  }

  /**
   * Keeps the health of upstreams whose settings have not changed.
   * @param settings those of each member.
   * @returns the health by upstream ID.
   */
  async #keepHealth(members: readonly MemberSettings[], settings: readonly unknown[]): Promise<Health> {
    const { UpstreamHealth } = await loadHealth();
    const kept = members.map(({ upstream: { id } }, at) => {
      const key = JSON.stringify([id, settings[at]]);
      return { id, key, health: this.#health.get(key) ?? new UpstreamHealth() };
    });
    this.#health = new Map(kept.map(({ key, health }) => [key, health]));
    return new Map(kept.map(({ id, health }) => [id, health]));
  }

  async #editorMembers({ editorModels = false }: RoutedSettings): Promise<MemberSettings[]> {
    if (!editorModels || this.#askEditor === undefined) return [];
    const { createEditorModels } = await loadEditorModels();
    return [createEditorModels(this.#askEditor)];
  }
}

interface OpenSandbox {
  readonly sandbox: Sandbox;
  /** The sandbox with what every upstream gets. */
  readonly upstream: Upstream;
}

async function openSandbox(settings: SandboxSettings, refusals: RefusalMemory): Promise<OpenSandbox> {
  const [{ Sandbox }, { AskingUsage }, { RepairingUpstream }] = await loadOfSandbox();
  const sandbox = new Sandbox(settings);
  const upstream = new RepairingUpstream(sandbox, [new AskingUsage()], refusals.ofUpstream(sandbox.id, {}));
  return { sandbox, upstream };
}

const loadOfSandbox = () =>
  Promise.all([
    import('../upstreams/sandbox/sandbox.ts'),
    import('../upstreams/includeUsage/askingUsage.ts'),
    import('../upstreams/repairs/repairingUpstream.ts'),
  ]);
const loadHosted = () => import('../upstreams/hosted.ts');
const loadSingle = () => import('./singleUpstream.ts');
const loadMemoryResponses = () => import('../translation/memoryResponseStore.ts');
const loadPins = () => import('./routes/sessionPins.ts');
const loadHealth = () => import('./upstreamHealth.ts');
const loadRouter = () => import('./router.ts');
const loadEditorModels = () => import('../upstreams/editorModels/editorModels.ts');
const loadCompatible = () => import('../upstreams/compatible.ts');
