import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { defined } from '../../formats/json.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import { inputCost } from '../../tokens/price.ts';
import type { BaseServices } from '../baseServices.ts';
import { attachFile } from '../chat/context/attachedDocuments.ts';
import { type Finding, Guard, hasKey } from '../chat/guard/guard.ts';
import type { WorkspaceFileFinder } from '../files/workspaceFile.ts';
import type { ModelUses } from '../models/modelUses.ts';
import type { ServiceTokenCounter } from '../tokens/serviceTokenCounter.ts';
import { jsonResult } from './jsonResult.ts';

export interface CountTokensServices extends Pick<BaseServices, 'models'> {
  readonly counter: ServiceTokenCounter;
  readonly modelUses: ModelUses;
  readonly files: WorkspaceFileFinder;
}

/** A model may ask for any number of paths, and leave them at that. */
const MAX_ASKED = 100;

/** The schema from the manifest, validated because a model may send anything. */
const inputSchema = z.object({
  text: z.optional(z.string()),
  path: z.optional(z.string()),
  model: z.optional(z.string()),
});
type CountInput = z.infer<typeof inputSchema>;

/** Counts the tokens of a text or of a workspace file as the service does. */
export class CountTokensTool implements vscode.LanguageModelTool<CountInput> {
  readonly #services: CountTokensServices;
  /** The reasons that the user was shown, by path. */
  readonly #asked = new BoundedMap<string, string>(MAX_ASKED);

  constructor(services: CountTokensServices) {
    this.#services = services;
  }

  /** The service counts the content, so the user is asked before a file is sent that may not be meant to be shared. */
  async prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<CountInput>): Promise<vscode.PreparedToolInvocation> {
    const { path } = read(input);
    if (path === undefined) return { invocationMessage: l10n.t('Counting tokens') };
    const { finding } = await new Guard().check(await this.#uriOf(path));
    this.#remember(path, finding);
    return {
      invocationMessage: l10n.t('Counting the tokens of {0}', path),
      ...(finding !== undefined && {
        confirmationMessages: {
          title: l10n.t('Count the tokens of {0}?', path),
          message: l10n.t('Its text is sent to the service, and {0}.', finding.reason),
        },
      }),
    };
  }

  /** @throws if neither a text nor a file of the workspace is given. */
  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<CountInput>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { counter, models, modelUses } = this.#services;
    const asked = read(input);
    const model = asked.model ?? modelUses.modelFor('chat');
    const request = {
      model,
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: await this.#textOf(asked) }] }],
    } as const;
    const left = new AbortController();
    const subscription = token.onCancellationRequested(() => left.abort());
    try {
      const { tokens, estimated } = await counter.count(request, left.signal);
      const known = models.find(model);
      const cost = known && inputCost(tokens, known);
      return jsonResult(
        defined({ tokens, is_estimate: estimated, model, context_window: known?.contextWindow, input_cost_usd: cost }),
      );
    } finally {
      subscription.dispose();
    }
  }

  async #textOf({ text, path }: CountInput): Promise<string> {
    if (text !== undefined) return text;
    if (path === undefined) throw new Error('Provide a text, or the path of a file in the workspace.');
    const checked = await new Guard().check(await this.#uriOf(path));
    // A link could have replaced the file after the user was asked, or was not asked because nothing was found.
    if (checked.finding !== undefined && this.#asked.get(path) !== checked.finding.reason) {
      throw new Error(`${path} was replaced after it was checked, so it is not sent.`);
    }
    const { text: content } = await attachFile(checked);
    if (await hasKey(content)) throw new Error(`${path} contains something that looks like a key, so it is not sent.`);
    return content;
  }

  #remember(path: string, finding: Finding | undefined): void {
    this.#asked.delete(path);
    if (finding !== undefined) this.#asked.set(path, finding.reason);
  }

  /** @throws for paths outside the workspace, with a message for the model. */
  async #uriOf(path: string): Promise<vscode.Uri> {
    const uri = await this.#services.files.find(path);
    if (uri === undefined) throw new Error(`${path} is not a file in the workspace.`);
    return uri;
  }
}

function read(input: unknown): CountInput {
  return inputSchema.safeParse(input).data ?? {};
}
