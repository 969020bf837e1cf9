import * as l10n from '@vscode/l10n';
import { OpenSettings } from './openSettings.tsx';
import { useStore } from './store.ts';

/** The other names of models and routes, which are changed in the settings. */
export function Aliases() {
  const aliases = Object.entries(useStore().state.value?.aliases ?? {});
  if (aliases.length === 0) return null;
  return (
    <section class="aliases" aria-labelledby="aliases">
      <h2 id="aliases">{l10n.t('Aliases')}</h2>
      <ul class="rows">
        {aliases.map(([name, target]) => (
          <li key={name}>
            {name} <span class="hint">{`→ ${target}`}</span>
          </li>
        ))}
      </ul>
      <OpenSettings setting="aliases" />
    </section>
  );
}
