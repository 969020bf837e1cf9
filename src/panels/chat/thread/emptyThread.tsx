import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { ChatState, StarterView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

const ICONS: Readonly<Record<StarterView['id'], string>> = {
  explain: 'file-code',
  table: 'table',
  improve: 'git-pull-request-go-to-changes',
  fix: 'bug',
  tests: 'checklist',
  readme: 'book',
};

/** A chat without messages: an introduction, and suggested prompts. */
export function EmptyThread({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { connection, conversationId, mode } = state;
  useEffect(() => store.post({ type: 'starter', action: 'list' }), [store, connection, conversationId, mode]);
  return (
    <section class="empty">
      <div class="empty-head">
        <h1 class="empty-title">{l10n.t('What are you working on?')}</h1>
        <p class="empty-text">{l10n.t('Ask any model. See the cost before you send.')}</p>
      </div>
      <StarterList mode={mode} />
      <div class="empty-foot">
        {connection === 'sandbox' && (
          <p class="empty-text">{l10n.t('The sandbox has no model. These prompts have prepared answers.')}</p>
        )}
        <div class="empty-links">
          <LinkButton label={l10n.t('Get Started')} onClick={() => store.post({ type: 'openFirstSteps' })} />
          <LinkButton label={l10n.t('History')} onClick={() => store.openHistory()} />
          {connection === 'sandbox' && (
            <LinkButton label={l10n.t('Set Service Key')} onClick={() => store.post({ type: 'enterKey' })} />
          )}
        </div>
      </div>
    </section>
  );
}

/** The suggested prompts. While one of them is hovered or focused, the meter shows its cost. */
function StarterList({ mode }: Pick<ChatState, 'mode'>) {
  const store = useStore();
  const starters = store.starters.value;
  if (starters.length === 0) return null;
  const preview = (id?: StarterView['id']) =>
    store.post({ type: 'starter', action: 'preview', ...(id !== undefined && { id }) });
  return (
    <div class="starters">
      <h2 class="starters-title" id="starters-title">
        {mode === 'ask' ? l10n.t('Try a prompt') : l10n.t('Try a task')}
      </h2>
      <ul aria-labelledby="starters-title">
        {starters.map(({ id, title, detail }) => (
          <li key={id}>
            <button
              type="button"
              class="starter"
              onPointerEnter={() => preview(id)}
              onPointerLeave={() => preview()}
              onFocus={() => preview(id)}
              onBlur={() => preview()}
              onClick={() => store.useStarter(id)}
            >
              <Icon name={ICONS[id]} />
              <span class="starter-text">
                <span>{title}</span>
                <span class="starter-detail">{detail}</span>
              </span>
              <Icon name="send" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
