import { isDeepStrictEqual } from 'node:util';
import { errorText } from '../../display/errors.ts';
import { KeyList } from '../keys/keyList.ts';
import type { Upstreams } from '../routing/upstreams.ts';
import { elect } from './election.ts';
import { FollowerLinks } from './followerLinks.ts';
import type { CloseReason, FollowerRequest, OwnerEvent } from './linkProtocol.ts';
import { type OwnerLink, stopOwner } from './ownerLink.ts';
import { OwnGateway } from './ownGateway.ts';
import { removePresence, writePresence } from './presence.ts';
import type {
  ExchangeEvent,
  GatewayMessage,
  GatewaySettings,
  ListenCommand,
  SharedFiles,
  SharedKeys,
} from './protocol.ts';
import { sharedSecret } from './sharedSecret.ts';
import { TrafficSubscriptions } from './trafficSubscriptions.ts';

export interface SharedGatewayContext {
  readonly upstreams: Upstreams;
  readonly post: (message: GatewayMessage) => void;
  /** Runs a task after all earlier ones, so that tasks never overlap. */
  readonly enqueue: (task: () => Promise<void>) => void;
}

interface Owner {
  readonly kind: 'owner';
  readonly port: number;
  /** Undefined if the gateway is not shared. */
  readonly followers?: FollowerLinks;
}

interface FollowerRole {
  readonly kind: 'follower';
  readonly link: OwnerLink;
}

/**
 * One gateway for all windows of a user. The window that binds the port owns the gateway. The others follow it, with
 * one connection each, and one of them takes over when the connection ends. Calls of its methods must not overlap.
 */
export class SharedGateway {
  /** What this window subscribes to and reports, wherever the gateway runs. */
  readonly subscriptions: TrafficSubscriptions;
  readonly #context: SharedGatewayContext;
  readonly #own: OwnGateway;
  /** This window's settings, updated with the changes of all windows. */
  #wanted: ListenCommand | undefined;
  #role: Owner | FollowerRole | undefined;
  /** This owner's name in the presence file. */
  #presence: string | undefined;

  constructor(context: SharedGatewayContext) {
    this.#context = context;
    this.#own = new OwnGateway(context.upstreams, {
      onRecord: (record) => this.#report({ type: 'exchange', record }),
      onEntered: (ids) => this.#report({ type: 'entered', ids }),
      onSessionNotice: (notice) => this.#report({ type: 'session', notice }),
      onProblem: (message) => context.post({ type: 'log', level: 'warn', message }),
    });
    this.subscriptions = new TrafficSubscriptions(this.#own, context.post);
  }

  /**
   * @throws the operating system's error if the port cannot be bound, and other errors if the upstream or the files
   *   cannot be used.
   */
  async listen(command: ListenCommand): Promise<void> {
    await this.close(0);
    await this.#takePlace(command);
  }

  /**
   * Applies a change from this window for all windows.
   * @throws {TypeError} if an upstream is invalid; the previous one stays.
   */
  async change(settings: Partial<GatewaySettings>): Promise<void> {
    await this.#adopt(settings);
  }

  grantTrust(): void {
    if (this.#wanted === undefined) return;
    this.#wanted = { ...this.#wanted, isTrusted: true };
    this.#own.grantTrust(this.#wanted.captureBodies === true);
  }

  /** Ends the gateway for all windows. */
  async close(graceMs: number | undefined): Promise<void> {
    if (this.#role?.kind === 'follower') await stopOwner(this.#role.link);
    await this.#goAway('stopped', graceMs);
  }

  /** Leaves the gateway to the other windows. */
  async leave(graceMs: number | undefined): Promise<void> {
    await this.#goAway('handover', graceMs);
  }

  async #goAway(reason: CloseReason, graceMs: number | undefined): Promise<void> {
    const [role, files] = [this.#role, this.#wanted?.shared];
    this.#role = undefined;
    this.#wanted = undefined;
    if (role?.kind === 'follower') {
      role.link.leave();
      this.subscriptions.stayHere();
    }
    if (role?.kind !== 'owner') return;
    // The port is free from here on, so the followers can take over.
    const closed = this.#own.close(graceMs);
    const isLast = reason === 'stopped' || role.followers?.size === 0;
    role.followers?.sendClose(reason);
    if (isLast && files !== undefined) await this.#hidePresence(files);
    await closed;
  }

  /** Opens the gateway, or joins the running one. */
  async #takePlace(command: ListenCommand): Promise<void> {
    const { port, shared: files, onlyJoin = false } = command;
    this.#wanted = command;
    try {
      if (files === undefined) {
        this.#become({ kind: 'owner', ...(await this.#own.open(command)) });
        return;
      }
      const secret = await sharedSecret(files.secret);
      const elected = await elect({ port, files, secret, onlyJoin, open: () => this.#open(command, secret) });
      if (elected.role === 'none') this.#end();
      else if (elected.role === 'follower') await this.#follow(elected.found.link, elected.found.keys);
      else {
        await this.#showPresence(files, elected.owned.port);
        this.#become(elected.owned);
      }
    } catch (error) {
      this.#wanted = undefined;
      throw error;
    }
  }

  async #open(command: ListenCommand, secret: Buffer): Promise<Owner> {
    const followers: FollowerLinks = new FollowerLinks({
      secret,
      localKeys: () => sharedKeys(listOf(this.#wanted)),
      onRequest: (request, from) => this.#context.enqueue(() => this.#serve(followers, request, from)),
      onLook: (look, follower) => this.subscriptions.serve(look, follower),
      onLeft: (follower) => this.subscriptions.forget(follower),
    });
    const { port } = await this.#own.open(command, followers.accept);
    return { kind: 'owner', port, followers };
  }

  async #follow(link: OwnerLink, keys: SharedKeys): Promise<void> {
    this.#become({ kind: 'follower', link });
    await this.#adopt(keys, link);
    link.listen((event) => this.#onOwnerEvent(link, event));
    if (this.#wanted !== undefined) await this.#context.upstreams.load(this.#wanted.upstream);
    void link.ended.then((reason) => this.#context.enqueue(() => this.#onOwnerLeft(link, reason)));
  }

  #become(role: Owner | FollowerRole): void {
    this.#role = role;
    if (role.kind === 'follower') this.subscriptions.follow(role.link);
    else this.subscriptions.stayHere();
    const port = role.kind === 'owner' ? role.port : role.link.port;
    const owner = role.kind === 'owner' ? 'self' : 'other';
    this.#context.post({ type: 'listening', address: `http://127.0.0.1:${port}/api/v1`, port, owner });
  }

  #end(problem?: string): void {
    this.#role = undefined;
    this.#wanted = undefined;
    this.subscriptions.stayHere();
    this.#context.post({ type: 'closed', ...(problem !== undefined && { problem }) });
  }

  async #serve(followers: FollowerLinks, request: FollowerRequest, from: object): Promise<void> {
    if (this.#role?.kind !== 'owner' || this.#role.followers !== followers) return;
    if (request.type === 'change') {
      await this.#adopt(request.settings, from);
      return;
    }
    await this.#goAway('stopped', undefined);
    this.#end();
  }

  #onOwnerEvent(link: OwnerLink, event: OwnerEvent): void {
    switch (event.type) {
      case 'exchange':
      case 'entered':
      case 'session':
        this.#context.post(event);
        return;
      case 'change':
        this.#context.enqueue(() => this.#adopt(event.settings, link));
        return;
      default:
        this.subscriptions.onMessage(event);
    }
  }

  /** Called when the owner has gone. */
  async #onOwnerLeft(link: OwnerLink, reason: CloseReason | undefined): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === undefined || this.#role?.kind !== 'follower' || this.#role.link !== link) return;
    if (reason === 'stopped') {
      this.#end();
      return;
    }
    try {
      await this.#takePlace({ ...wanted, port: link.port, onlyJoin: false });
    } catch (error) {
      this.#end(`Its window was closed, and this one could not take over. ${errorText(error)}`);
    }
  }

  /**
   * Adopts a change and forwards it to the windows that do not know it yet.
   * @param from the link that the change came from. Undefined if it comes from this window.
   */
  async #adopt(given: Partial<GatewaySettings>, from?: object): Promise<void> {
    const before = this.#wanted;
    if (before === undefined) return;
    const { localKeys, revokedKeys: _, ...others } = given;
    const keys = localKeys && listOf(before).merge(listOf(given));
    const isNews = keys?.equals(listOf(before)) === false;
    // What the sender does not know goes back to it.
    const isNewsToSender = keys?.equals(listOf(given)) === false;
    // Every window reports the same change of settings. Only the first report has an effect.
    const settings = {
      ...changedIn(before, others),
      ...(keys !== undefined && (isNews || isNewsToSender) && sharedKeys(keys)),
    };
    if (Object.keys(settings).length === 0) return;
    const change = { type: 'change', settings } as const;
    if (this.#role?.kind === 'owner') {
      await this.#own.change(settings);
      this.#role.followers?.broadcast(change, isNewsToSender ? undefined : from);
    } else if (this.#role !== undefined && (from === undefined || isNewsToSender)) this.#role.link.send(change);
    // The folder of this window may have been trusted meanwhile.
    this.#wanted = { ...(this.#wanted ?? before), ...settings };
    if (keys !== undefined && (from === undefined ? isNewsToSender : isNews))
      this.#context.post({ type: 'localKeys', ...sharedKeys(keys) });
  }

  #report(event: ExchangeEvent): void {
    this.#context.post(event);
    if (this.#role?.kind === 'owner') this.#role.followers?.broadcast(event);
  }

  /** If the file cannot be written, the gateway runs anyway, but other windows find it only by its port. */
  async #showPresence(files: SharedFiles, port: number): Promise<void> {
    try {
      this.#presence = await writePresence(files.presence, port);
    } catch (error) {
      const message = `Other windows cannot be notified of the gateway. ${errorText(error)}`;
      this.#context.post({ type: 'log', level: 'warn', message });
    }
  }

  async #hidePresence(files: SharedFiles): Promise<void> {
    if (this.#presence !== undefined) await removePresence(files.presence, this.#presence);
    this.#presence = undefined;
  }
}

function listOf(keys: Partial<SharedKeys> | undefined): KeyList {
  return new KeyList(keys?.localKeys, keys?.revokedKeys);
}

function sharedKeys({ keys, revoked }: KeyList): SharedKeys {
  return { localKeys: keys, revokedKeys: revoked };
}

function changedIn(before: GatewaySettings, given: Partial<GatewaySettings>): Partial<GatewaySettings> {
  const entries = Object.entries(given) as [keyof GatewaySettings, unknown][];
  return Object.fromEntries(entries.filter(([name, value]) => !isDeepStrictEqual(before[name], value)));
}
