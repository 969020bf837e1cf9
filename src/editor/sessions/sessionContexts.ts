import * as l10n from '@vscode/l10n';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { SessionContext } from '../../ledger/sessionContext.ts';
import type { SessionHostMessage } from '../../pages/session/protocol.ts';
import { copyText } from '../doneMessage.ts';
import type { SessionServices } from './sessionServices.ts';

/** Posts what fills the context of the session on the page, after the session itself. */
export class SessionContexts {
  readonly #services: Pick<SessionServices, 'worker' | 'ledger' | 'log'>;
  readonly #post: (message: SessionHostMessage) => void;
  #client: string | undefined;
  #posted = '';

  constructor(
    services: Pick<SessionServices, 'worker' | 'ledger' | 'log'>,
    post: (message: SessionHostMessage) => void,
  ) {
    this.#services = services;
    this.#post = post;
  }

  /** @param latest its latest request. */
  async post(sessionId: string, latest: ExchangeRow | undefined): Promise<void> {
    const { worker, ledger } = this.#services;
    const context = await worker.rpc.readLedger('sessionContext', { ledger, sessionId });
    if (context.steps.length === 0 && this.#posted !== sessionId) return;
    this.#posted = sessionId;
    this.#client = latest?.client;
    const servers = context.findings.flatMap(({ kind, name }) => (kind === 'unused_server' ? name : []));
    const lines = servers.flatMap((server) => {
      const line = switchOffLine(this.#client, server);
      return line === undefined ? [] : [[server, line]];
    });
    const names = await this.#namesOf(context);
    this.#post({
      type: 'context',
      context: { ...context, sessionId, names: { ...context.names, ...names }, switchOff: Object.fromEntries(lines) },
    });
  }

  async copySwitchOff(server: string): Promise<void> {
    const line = switchOffLine(this.#client, server);
    if (line === undefined) return;
    await copyText(line, l10n.t('Copied: {0}', line));
  }

  /** The page is complete without names, which only the gateway has. */
  async #namesOf({ parts, findings }: SessionContext): Promise<Readonly<Record<string, string>>> {
    const hashes = [...new Set([...parts, ...findings].flatMap(({ file }) => file ?? []))];
    if (hashes.length === 0) return {};
    try {
      return await this.#services.worker.rpc.askTraffic({ kind: 'fileNames', hashes });
    } catch (error) {
      this.#services.log.warn('The gateway could not be asked for names of files', error);
      return {};
    }
  }
}

/** How clients are told not to offer the tools of a server, by the beginning of the client's name. */
const LINES: readonly (readonly [client: RegExp, line: (server: string) => string])[] = [
  [/^claude/i, (server) => `claude mcp remove ${server}`],
  [/^codex/i, (server) => `codex mcp remove ${server}`],
  [/^gemini/i, (server) => `gemini mcp remove ${server}`],
  [/^qwen/i, (server) => `qwen mcp remove ${server}`],
  [/^opencode/i, (server) => `"mcp": { ${JSON.stringify(server)}: { "enabled": false } }`],
  [/^(?:kilo|roo|cline)/i, (server) => `${JSON.stringify(server)}: { "disabled": true }`],
];

/** Other names could be read as more than a name by a shell. */
const NAME = /^[\w.-]+$/;

/** Returns the command, or the line of a configuration file, that switches a server off. */
function switchOffLine(client: string | undefined, server: string): string | undefined {
  if (client === undefined || !NAME.test(server)) return undefined;
  return LINES.find(([pattern]) => pattern.test(client))?.[1](server);
}
