import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import { approximately, formatTokens } from '../../display/tokens.ts';
import type { ConfigureAgentMessage } from '../../pages/configureAgent/configureMessages.ts';
import type { ConfiguredItem, ConfiguredSection } from '../../pages/configureAgent/protocol.ts';
import { Icon } from '../shared/icon.tsx';

export type Post = (message: ConfigureAgentMessage) => void;

interface ItemTableProps {
  readonly title: string;
  readonly section: ConfiguredSection;
  readonly countedSteps: number | undefined;
  readonly post: Post;
}

export function ItemTable({ title, section: { kind, items }, countedSteps, post }: ItemTableProps) {
  return (
    <table class="table items" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{l10n.t('Name')}</th>
          <th scope="col" class="figure">
            {l10n.t('Tokens per step')}
          </th>
          <th scope="col" class="figure">
            {l10n.t('Cost so far')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} class={item.isOn && item.problem === undefined ? '' : 'off'}>
            <td>
              <label class="item-name">
                <input
                  type="checkbox"
                  checked={item.isOn}
                  onChange={({ currentTarget }) =>
                    post({ type: 'switch', kind, id: item.id, isOn: currentTarget.checked })
                  }
                />
                <span>{item.name}</span>
              </label>
              <ItemNotes item={item} countedSteps={countedSteps} post={post} />
            </td>
            <td class="figure number">{tokensText(item)}</td>
            <td class="figure number">{item.spent === undefined ? '–' : formatMoney(item.spent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ItemNotesProps {
  readonly item: ConfiguredItem;
  readonly countedSteps: number | undefined;
  readonly post: Post;
}

function ItemNotes({ item, countedSteps, post }: ItemNotesProps) {
  const { path, detail, problem, isUnused, isOn } = item;
  return (
    <div class="item-notes">
      {path !== undefined && (
        <button type="button" class="link item-path" onClick={() => post({ type: 'open', path })}>
          {path === item.name ? l10n.t('Open') : path}
        </button>
      )}
      {detail !== '' && (
        <p class="item-detail" title={detail}>
          {detail}
        </p>
      )}
      {problem !== undefined && (
        <p class="item-problem">
          <Icon name="warning" size={14} /> {problem}
        </p>
      )}
      {isUnused === true && isOn && problem === undefined && countedSteps !== undefined && (
        <p class="item-unused">
          <Icon name="circle-slash" size={14} /> {l10n.t('Not used in the last {0} steps', countedSteps)}
        </p>
      )}
    </div>
  );
}

function tokensText({ stepTokens, usedTokens }: ConfiguredItem): string {
  const always = stepTokens === 0 ? '0' : approximately(formatTokens(stepTokens));
  return usedTokens === undefined ? always : l10n.t('{0} (used: {1})', always, approximately(formatTokens(usedTokens)));
}
