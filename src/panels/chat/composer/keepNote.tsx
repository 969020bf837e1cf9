import * as l10n from '@vscode/l10n';
import { Icon } from '../../shared/icon.tsx';

/** Asks to keep one of the answers side by side before the next question, because the chat continues from one answer. */
export function KeepNote() {
  return (
    <div class="card">
      <Icon name="info" />
      <div class="card-body">
        <h2 class="card-title">{l10n.t('Keep one answer to continue')}</h2>
        <p class="card-text">
          {l10n.t('The next question continues from it. The other answers remain available as versions.')}
        </p>
      </div>
    </div>
  );
}
