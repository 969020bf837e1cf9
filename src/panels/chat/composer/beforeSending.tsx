import * as l10n from '@vscode/l10n';
import { formatBalance, formatRoughly } from '../../../display/money.ts';
import { formatTokens, formatWindow } from '../../../display/tokens.ts';
import type { AttachmentView, ChatState, ModelView } from '../../../pages/chat/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { Note } from '../../shared/note.tsx';
import { contextWindowOf, type LargestPart, largerModel, largestPart, tokensOver } from '../meter/contextWindow.ts';
import {
  affordableModel,
  blindToImages,
  cannotAct,
  isShownInThread,
  type Shortfall,
  seeingModel,
  shortfall,
} from '../meter/obstacle.ts';
import { useStore } from '../storeContext.ts';
import { isAnsweredElsewhere, openComparison } from '../turns.ts';

/** The minimum length that must remain of a trimmed attachment, in tokens. */
const MIN_TOKENS = 500;

/** The note above the composer. Shows one problem at a time, the most important first. */
export function BeforeSending({ state }: { readonly state: ChatState }) {
  if (isAnsweredElsewhere(state)) return <ElsewhereNote />;
  if (openComparison(state).length > 0) return null;
  if (tokensOver(state.estimate, contextWindowOf(state)) > 0) return <WindowNote state={state} />;
  const missing = shortfall(state);
  if (missing !== undefined && !isShownInThread(state)) return <BalanceNote state={state} missing={missing} />;
  if (blindToImages(state)) return <ImageNote state={state} />;
  return cannotAct(state) ? <ToolsNote state={state} /> : null;
}

function ElsewhereNote() {
  return (
    <Note kind="info">
      <h2 class="card-title">{l10n.t('Another window is answering in this chat')}</h2>
      <p class="card-text">{l10n.t('The answer appears here as it arrives. You can continue when it is complete.')}</p>
    </Note>
  );
}

function BalanceNote({ state, missing }: { readonly state: ChatState; readonly missing: Shortfall }) {
  const store = useStore();
  const { needed, left, isCertain } = missing;
  const model = affordableModel(state);
  const isBudget = state.balance.isBudget === true;
  const rest = formatBalance(left);
  const cost = needed === undefined ? undefined : formatRoughly(needed);
  return (
    <Note kind={isCertain ? 'error' : 'warning'}>
      <h2 class="card-title">{isCertain ? shortfallTitle(left, isBudget) : l10n.t('The balance may run out')}</h2>
      <p class="card-text number">
        {cost === undefined
          ? l10n.t('{0} is left.', rest)
          : l10n.t('This request costs about {0}, and {1} is left.', cost, rest)}
      </p>
      <div class="buttons">
        {isBudget && (
          <Button
            label={l10n.t('Copy Request for Administrator')}
            onClick={() => store.takeStep('askAdministrator', '')}
          />
        )}
        {state.connection === 'hosted' && !isBudget && (
          <Button primary={isCertain} label={l10n.t('Add credit')} onClick={() => store.takeStep('addCredit', '')} />
        )}
        {model !== undefined && <ModelButton model={model} text={l10n.t('Use a cheaper model')} />}
      </div>
    </Note>
  );
}

function shortfallTitle(left: number, isBudget: boolean): string {
  if (isBudget) return left > 0 ? l10n.t('Not enough budget for this request') : l10n.t('A budget is used up');
  return left > 0 ? l10n.t('Not enough credit for this request') : l10n.t('Your credit is used up');
}

function ImageNote({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const model = seeingModel(state);
  const attached = state.attachments.filter(({ kind }) => kind === 'image').length;
  return (
    <Note kind="warning">
      <h2 class="card-title">{l10n.t('{0} does not accept images', state.model)}</h2>
      <p class="card-text">{l10n.t('The service may refuse the request, or the model may ignore them.')}</p>
      <div class="buttons">
        {attached > 0 && (
          <Button
            label={attached === 1 ? l10n.t('Remove image') : l10n.t('Remove images')}
            onClick={() => store.post({ type: 'detachImages' })}
          />
        )}
        {model !== undefined && <ModelButton model={model} text={l10n.t('Use {0}', model.id)} />}
      </div>
    </Note>
  );
}

function ToolsNote({ state }: { readonly state: ChatState }) {
  const store = useStore();
  return (
    <Note kind="warning">
      <h2 class="card-title">{l10n.t('{0} cannot use tools', state.model)}</h2>
      <p class="card-text">{l10n.t('Choose another model, or ask without the agent.')}</p>
      <div class="buttons">
        <button type="button" class="button" data-opens="models" onClick={() => store.toggle('models')}>
          {l10n.t('Use another model')}
        </button>
        <Button label={l10n.t('Switch to Ask')} onClick={() => store.post({ type: 'setMode', mode: 'ask' })} />
      </div>
    </Note>
  );
}

/** Selects another model for this chat. */
function ModelButton({ model, text }: { readonly model: ModelView; readonly text: string }) {
  const store = useStore();
  const { id, contextWindow } = model;
  const title = contextWindow === undefined ? id : l10n.t('{0}, {1} tokens', id, formatTokens(contextWindow));
  return (
    <button type="button" class="button" title={title} onClick={() => store.post({ type: 'chooseModel', model: id })}>
      {text}
    </button>
  );
}

/** The note before sending if the request is too large for the model: its largest part, and how to reduce it. */
function WindowNote({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const over = tokensOver(state.estimate, contextWindowOf(state));
  if (over === 0) return null;
  const part = largestPart(state);
  const larger = largerModel(state);
  return (
    <Note kind="warning">
      <h2 class="card-title">{l10n.t('{0} tokens over the context window', formatWindow(over))}</h2>
      <p class="card-text number">{largestText(part)}</p>
      <div class="buttons">
        {part.kind === 'attachment' && <AttachmentButton attachment={part.attachment} over={over} />}
        {part.kind === 'history' && (
          <Button label={l10n.t('New chat')} onClick={() => store.post({ type: 'newConversation' })} />
        )}
        {larger !== undefined && (
          <button
            type="button"
            class="button"
            title={l10n.t('{0}, {1} tokens', larger.id, formatWindow(larger.contextWindow ?? 0))}
            onClick={() => store.post({ type: 'chooseModel', model: larger.id })}
          >
            {l10n.t('Larger model')}
          </button>
        )}
      </div>
    </Note>
  );
}

/** Trims the attachment, or removes it if nothing would remain. */
function AttachmentButton({ attachment, over }: { readonly attachment: AttachmentView; readonly over: number }) {
  const store = useStore();
  const { id, kind, label, tokens = 0 } = attachment;
  const canTrim = kind !== 'image' && tokens - over > MIN_TOKENS;
  return (
    <Button
      label={canTrim ? l10n.t('Trim {0}', label) : l10n.t('Remove {0}', label)}
      onClick={() => store.post({ type: canTrim ? 'trim' : 'detach', attachmentId: id })}
    />
  );
}

function largestText(part: LargestPart): string {
  const tokens = formatTokens(part.tokens);
  if (part.kind === 'attachment') return l10n.t('The largest part is {0}, at {1}.', part.attachment.label, tokens);
  if (part.kind === 'history') return l10n.t('The largest part is the chat so far, at {0}.', tokens);
  return l10n.t('The largest part is your message, at {0}. Shorten it to send it.', tokens);
}
