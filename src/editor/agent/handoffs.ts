import * as l10n from '@vscode/l10n';
import type { Handoff } from '../../agent/customizations/agentFile.ts';
import { agentNamed } from '../../agent/customizations/found.ts';
import { modelNamed } from '../../agent/customizations/modelNames.ts';
import type { Chat } from '../chat/chat.ts';
import type { Customizations } from '../chat/customizations/customizations.ts';
import type { ModelList } from '../models/modelList.ts';

/** What the agent of a chat offers as the next step once its run is done. */
export function handoffsOf({ parameters }: Chat, customizations: Customizations): readonly Handoff[] {
  const { set } = customizations.files ?? {};
  const name = parameters.own.agent;
  return set === undefined || name === undefined ? [] : (agentNamed(set, name)?.agent.handoffs ?? []);
}

/** Lets another agent take over with the prompt that the file has for it, which waits for the person unless it is sent. */
export async function handOff(
  chat: Chat,
  { customizations, models }: { readonly customizations: Customizations; readonly models: ModelList },
  handoff: Handoff,
): Promise<void> {
  const files = await customizations.ready();
  const known = files.agentCalled(handoff.agent);
  const isMode = handoff.agent === 'ask' || handoff.agent === 'agent';
  if (known === undefined && !isMode) throw new Error(l10n.t('There is no agent “{0}”.', handoff.agent));
  await chat.chooseMode(known === undefined && handoff.agent === 'ask' ? 'ask' : 'agent', known);
  const ids = models.state.models.map(({ id }) => id);
  const model = handoff.model === undefined ? undefined : modelNamed(handoff.model, ids);
  if (model !== undefined) await chat.parameters.chooseModel(model);
  if (handoff.send && handoff.prompt !== '') await chat.turns.send(handoff.prompt);
  else chat.composition.compose(handoff.prompt);
}
