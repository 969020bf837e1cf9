import * as l10n from '@vscode/l10n';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';

/** The names of the routes, as a list or, in a narrow page, as a field with a list. */
export function RouteList() {
  const store = useStore();
  const routes = store.routes.value;
  const isWrong = (index: number) => store.problems.value.some(({ route }) => route === index);
  return (
    <nav class="route-list" aria-label={l10n.t('Routes')}>
      <ul>
        {routes.map(({ name, when }, index) => (
          <li key={name}>
            <button
              type="button"
              class="route-row"
              aria-current={index === store.selected.value}
              onClick={() => store.select(index)}
            >
              <Icon name="type-hierarchy-sub" />
              <span class="route-name">{name}</span>
              {isWrong(index) ? (
                <>
                  <Icon name="error" />
                  <span class="hidden-text">{l10n.t('has a mistake')}</span>
                </>
              ) : (
                when.length > 0 && <span class="hint">{rulesText(when.length)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {routes.length > 0 && (
        <select
          aria-label={l10n.t('Route')}
          value={store.selected.value}
          onChange={({ currentTarget }) => store.select(Number(currentTarget.value))}
        >
          {routes.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="button add" onClick={() => store.add()}>
        <Icon name="add" size={14} />
        {l10n.t('New Route')}
      </button>
      <ReadyRoutes />
    </nav>
  );
}

/** Routes for the most frequent wishes. Open while there are no others. */
function ReadyRoutes() {
  const store = useStore();
  const { ready = [] } = store.state.value ?? {};
  if (ready.length === 0) return null;
  return (
    <details class="ready" open={store.routes.value.length === 0}>
      <summary>{l10n.t('Ready-made routes')}</summary>
      <ul>
        {ready.map(({ title, form }) => (
          <li key={form.name}>
            <LinkButton label={title} onClick={() => store.add(form)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function rulesText(count: number): string {
  return count === 1 ? l10n.t('1 rule') : l10n.t('{0} rules', count);
}
