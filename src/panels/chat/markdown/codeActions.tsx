import * as l10n from '@vscode/l10n';
import { ActionMenu, type MenuAction } from '../../shared/actionMenu.tsx';
import { useDone } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { applyMessage } from './codeApplying.ts';
import { codeInfo } from './codeInfo.ts';
import { CopyButton } from './copyButton.tsx';

interface CodeActionsProps {
  readonly text: string;
  readonly info: string;
  /** True if more of the code may arrive. */
  readonly growing: boolean;
  readonly before: string | undefined;
}

/** One action that suits the code, with a label, Copy, and a menu with all other actions. */
export function CodeActions({ text, info, growing, before }: CodeActionsProps) {
  const store = useStore();
  const { language } = codeInfo(info);
  const apply = applyMessage(text, info, before);
  const target =
    apply.paths.find((path) => store.files.has(path)) ?? attachedLike(language, store.attached.value.split('\n'));
  const actions: Readonly<Record<'apply' | 'insert' | 'replace' | 'newFile', MenuAction>> = {
    // The file that the button names comes first.
    apply: {
      label: l10n.t('Apply to file'),
      disabled: growing,
      onClick: () =>
        store.post(target === undefined ? apply : { ...apply, paths: [...new Set([target, ...apply.paths])] }),
    },
    insert: { label: l10n.t('Insert at cursor'), onClick: () => store.post({ type: 'insertAtCursor', text }) },
    replace: { label: l10n.t('Replace selection'), onClick: () => store.post({ type: 'replaceSelection', text }) },
    newFile: { label: l10n.t('New file'), onClick: () => store.post({ type: 'newFile', text, language }) },
  };
  const { apply: applying, insert, replace, newFile } = actions;
  return (
    <>
      {store.applied.value.has(text) && (
        <span class="code-applied">
          <Icon name="check" />
          {l10n.t('Applied')}
        </span>
      )}
      {target !== undefined ? (
        <MainAction
          text={l10n.t('Apply')}
          wide={l10n.t('Apply to {0}', target.slice(target.lastIndexOf('/') + 1))}
          action={applying}
        />
      ) : language === 'diff' || language === 'patch' ? (
        // It names its files itself.
        <MainAction text={l10n.t('Apply')} action={applying} />
      ) : apply.paths.length > 0 ? (
        // Offers to create the file under the name that the answer gives it.
        <MainAction text={l10n.t('New File')} action={applying} />
      ) : (
        <MainAction text={l10n.t('Insert')} action={insert} />
      )}
      <CopyButton text={text} label={l10n.t('Copy code')} />
      <ActionMenu
        label={l10n.t('More actions for this code')}
        actions={target === undefined ? [applying, insert, replace, newFile] : [insert, replace, newFile]}
      />
    </>
  );
}

/** Returns the one attached file in this language, if there is exactly one and the answer names none. */
function attachedLike(language: string, attached: readonly string[]): string | undefined {
  const { label } = codeInfo(language);
  const alike = attached.filter((name) => label !== '' && codeInfo(name.replace(/^.*\./, '')).label === label);
  return alike.length === 1 ? alike[0] : undefined;
}

interface MainActionProps {
  readonly text: string;
  /** The text where there is space for it. */
  readonly wide?: string;
  readonly action: MenuAction;
}

function MainAction({ text, wide = text, action: { disabled = false, onClick } }: MainActionProps) {
  const [done, showDone] = useDone();
  const act = () => {
    if (disabled) return;
    onClick();
    showDone();
  };
  return (
    <button type="button" class="code-action" aria-disabled={disabled} aria-label={wide} title={wide} onClick={act}>
      {done ? (
        l10n.t('Done')
      ) : (
        <>
          <span class="below-340">{text}</span>
          <span class="from-340">{wide}</span>
        </>
      )}
    </button>
  );
}
