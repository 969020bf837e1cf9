import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { Icon } from '../../shared/icon.tsx';

const KINDS: Readonly<Record<string, { readonly icon: string; readonly title: () => string }>> = {
  note: { icon: 'info', title: () => l10n.t('Note') },
  tip: { icon: 'lightbulb', title: () => l10n.t('Tip') },
  important: { icon: 'circle-filled', title: () => l10n.t('Important') },
  warning: { icon: 'warning', title: () => l10n.t('Warning') },
  caution: { icon: 'error', title: () => l10n.t('Caution') },
};

export function Alert({ kind, children }: { readonly kind: string; readonly children: ComponentChildren }) {
  const shown = KINDS[kind];
  return (
    <div class={`alert ${kind}`} role="note" aria-label={shown?.title()} dir="auto">
      <p class="alert-title" aria-hidden="true">
        {shown !== undefined && <Icon name={shown.icon} />}
        {shown?.title()}
      </p>
      {children}
    </div>
  );
}
