import * as l10n from '@vscode/l10n';
import { SandboxTag } from '../sandboxTag.tsx';

export function EmptyThread({ sandbox }: { readonly sandbox: boolean }) {
  return (
    <section class="empty">
      <h1 class="empty-title">{l10n.t('What are you working on?')}</h1>
      <p class="empty-text">
        {l10n.t('Select code first to attach it, or type @ for files, problems and terminal output.')}
      </p>
      {sandbox && (
        <p class="empty-sandbox">
          <SandboxTag />
          <span>{l10n.t('Sample answers, no charge.')}</span>
        </p>
      )}
    </section>
  );
}
