import * as l10n from '@vscode/l10n';
import type { ChatState, PromptView } from '../../../pages/chat/protocol.ts';
import { addedText } from '../controls/addedCost.ts';
import { type ChoiceGroup, ChoiceList, type ChoiceRow } from '../controls/choiceList.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

const GROUPS: Readonly<Record<PromptView['source'], () => { readonly name: string; readonly source?: string }>> = {
  builtIn: () => ({ name: l10n.t('Built in') }),
  skill: () => ({ name: l10n.t('Skills'), source: 'SKILL.md' }),
  workspace: () => ({ name: l10n.t('This workspace'), source: '.model-access/prompts' }),
  repository: () => ({ name: l10n.t('This workspace'), source: '.github/prompts' }),
  profile: () => ({ name: l10n.t('Your prompts'), source: l10n.t('this profile') }),
};

/** Icons of the built-in prompts, by name. */
const ICONS: Readonly<Record<string, string | undefined>> = {
  explain: 'comment-discussion',
  fix: 'wand',
  tests: 'beaker',
  document: 'book',
  review: 'eye',
  'commit-message': 'git-commit',
};

interface PromptRow extends ChoiceRow {
  readonly prompt: PromptView;
}

/** The prompts that match the text after the slash. */
export function PromptList({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { prompts } = store.composition;
  const matches = prompts.matches.value;
  const active = prompts.chosen;
  return (
    <PopoverBox name="prompts" class="list-popover choices">
      <ChoiceList
        id="prompt-list"
        label={l10n.t('Prompts')}
        groups={groupsOf(matches)}
        active={active && toRow(active)}
        query={prompts.query.value}
        onChoose={({ prompt }) => store.composition.usePrompt(prompt)}
        onPoint={({ id }) => prompts.active.activate(id)}
      />
      {matches.length === 0 && (
        <p class="list-note">
          {prompts.all.value.length === 0 ? l10n.t('No prompts yet.') : l10n.t('No prompts match.')}
        </p>
      )}
      <div class="list-footer number">
        {active !== undefined && <span>{footerText(state, store.models.asked.value, active)}</span>}
        <button type="button" class="link footer-action" onClick={() => store.post({ type: 'newPrompt' })}>
          {l10n.t('New prompt…')}
        </button>
      </div>
    </PopoverBox>
  );
}

function groupsOf(prompts: readonly PromptView[]): readonly ChoiceGroup<PromptRow>[] {
  return [...Map.groupBy(prompts, ({ source }) => source)].map(([source, members]) => ({
    key: source,
    ...GROUPS[source](),
    rows: members.map(toRow),
  }));
}

/** The Git changes are not counted before the prompt is used, so its row has no figure. */
function toRow(prompt: PromptView): PromptRow {
  const { id, name, description, tokens, addsChanges } = prompt;
  return {
    id,
    icon: iconOf(prompt),
    label: `/${name}`,
    note: description,
    tokens: addsChanges === true ? undefined : tokens,
    prompt,
  };
}

function iconOf({ source, name }: PromptView): string {
  if (source === 'builtIn') return ICONS[name] ?? 'note';
  if (source === 'skill') return 'lightbulb';
  return source === 'profile' ? 'account' : 'note';
}

function footerText(state: ChatState, models: readonly string[], { name, tokens, addsChanges }: PromptView): string {
  const added = addedText(state, models, tokens);
  return addsChanges === true
    ? l10n.t('/{0} adds {1}, and the Git changes', name, added)
    : l10n.t('/{0} adds {1}', name, added);
}
