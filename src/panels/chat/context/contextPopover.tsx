import * as l10n from '@vscode/l10n';
import type { ChatState, ContextChoiceView, ContextGroup } from '../../../pages/chat/protocol.ts';
import { addedText } from '../controls/addedCost.ts';
import { chipIcon } from '../controls/chipIcon.ts';
import { type ChoiceGroup, ChoiceList, type ChoiceRow } from '../controls/choiceList.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

const GROUPS: Readonly<Record<ContextGroup, () => string>> = {
  file: () => l10n.t('Current file'),
  symbols: () => l10n.t('Symbols'),
  paths: () => l10n.t('Files and folders'),
  more: () => l10n.t('More'),
};

interface ContextChoiceRow extends ChoiceRow {
  readonly choice: ContextChoiceView;
}

/** The attachable items that match the text after the `@`. */
export function ContextPopover({ state }: { readonly state: ChatState }) {
  const { composition } = useStore();
  const { context } = composition;
  const choices = context.choices.value;
  const unsearched = context.unsearched.value;
  const active = context.active.item.value;
  return (
    <PopoverBox name="context" class="list-popover choices">
      <ChoiceList
        id="context-list"
        label={l10n.t('Attach')}
        groups={groupsOf(choices ?? [])}
        active={active && toRow(active)}
        query={context.mention?.query ?? ''}
        tabRow="file"
        onChoose={({ choice }) => composition.attach(choice)}
        onPoint={({ id }) => context.active.activate(id)}
      />
      {choices?.length === 0 && <p class="list-note">{l10n.t('No matches.')}</p>}
      {unsearched.length > 0 && (
        <p class="list-note">
          {l10n.t('Files in {0} cannot be searched. Choose them in the dialog.', unsearched.join(', '))}
        </p>
      )}
      {choices === undefined && <p class="list-note">{l10n.t('Reading the workspace')}</p>}
      {active !== undefined && <Footer state={state} choice={active} />}
    </PopoverBox>
  );
}

function groupsOf(choices: readonly ContextChoiceView[]): readonly ChoiceGroup<ContextChoiceRow>[] {
  return [...Map.groupBy(choices, ({ group }) => group)].map(([group, members]) => ({
    key: group,
    name: GROUPS[group](),
    rows: members.map(toRow),
  }));
}

function toRow(choice: ContextChoiceView): ContextChoiceRow {
  const { id, label, detail, tokens } = choice;
  return { id, icon: chipIcon(choice), label, note: detail, tokens, choice };
}

/** What the active item adds to the request. */
function Footer({ state, choice }: { readonly state: ChatState; readonly choice: ContextChoiceView }) {
  const { asked } = useStore().models;
  const text = footerText(state, asked.value, choice);
  return text === undefined ? null : <div class="list-footer number">{text}</div>;
}

/** Returns undefined for an item that is counted only after it was chosen, such as files from a dialog. */
function footerText(state: ChatState, models: readonly string[], choice: ContextChoiceView): string | undefined {
  const { label, tokens, isFetched, isLarge } = choice;
  if (isFetched === true) return l10n.t('Read when you choose it, as text only.');
  if (isLarge === true) return l10n.t('Attach {0}: you choose which files.', label);
  if (tokens === undefined) return undefined;
  return l10n.t('Attach {0}: {1}', label, addedText(state, models, tokens));
}
