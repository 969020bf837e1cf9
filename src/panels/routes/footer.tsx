import * as l10n from '@vscode/l10n';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';

/** Says what is not saved, and saves or discards it. */
export function Footer() {
  const store = useStore();
  const isChanged = store.isChanged.value;
  const deleted = store.deleted.value;
  return (
    <footer class="page-footer">
      <span role="status">
        {deleted === undefined ? <Status /> : deleted.text}
        {deleted !== undefined && (
          <button id="undo" type="button" class="link undo" onClick={() => store.undo()}>
            {l10n.t('Undo')}
          </button>
        )}
      </span>
      {isChanged && (
        <div class="footer-buttons">
          <button type="button" class="button" onClick={() => store.discard()}>
            {l10n.t('Discard')}
          </button>
          <button type="submit" class="button primary">
            {l10n.t('Save')}
          </button>
        </div>
      )}
    </footer>
  );
}

function Status() {
  const store = useStore();
  const mistakes = store.problems.value.length;
  if (mistakes > 0) {
    const text = mistakes === 1 ? l10n.t('1 mistake') : l10n.t('{0} mistakes', mistakes);
    return (
      <>
        <Icon name="error" size={14} />
        {text}
      </>
    );
  }
  if (store.isChanged.value) return <>{l10n.t('Not saved')}</>;
  return (
    <>
      <Icon name="check" size={14} />
      {l10n.t('All changes are saved. The gateway uses them from the next request on.')}
    </>
  );
}
