import * as l10n from '@vscode/l10n';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/** Named sets of parameters. */
export function Presets({ names }: { readonly names: readonly string[] }) {
  const store = useStore();
  return (
    <div class="presets">
      <h3 class="presets-title">{l10n.t('Presets')}</h3>
      {names.length > 0 && (
        <ul class="preset-list">
          {names.map((name) => (
            <li key={name} class="preset">
              <button
                type="button"
                class="preset-name"
                title={l10n.t('Use {0}', name)}
                onClick={() => {
                  store.post({ type: 'usePreset', name });
                  store.closePopover();
                }}
              >
                {name}
              </button>
              <IconButton
                icon="trash"
                label={l10n.t('Delete preset {0}', name)}
                onClick={() => store.post({ type: 'removePreset', name })}
              />
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="link" onClick={() => store.post({ type: 'savePreset' })}>
        {l10n.t('Save as preset')}
      </button>
    </div>
  );
}
