import * as l10n from '@vscode/l10n';
import { formatEstimate } from '../../display/money.ts';
import { conditionsText } from '../../display/routeConditions.ts';
import type { TrialAnswer, TrialTarget } from '../../pages/routes/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { TextField } from '../shared/textField.tsx';
import { Health } from './health.tsx';
import { OpenSettings } from './openSettings.tsx';
import { conditionsOf } from './ruleSentence.ts';
import { ClassField } from './selectField.tsx';
import { useStore } from './store.ts';

const JSON_NAME = 'JSON';

/** A request that is described, not sent, and the model that it would get. */
export function Trial() {
  const store = useStore();
  return (
    <aside class="trial" aria-labelledby="trial">
      <div class="trial-head">
        <h2 id="trial">{l10n.t('Which model would this request get?')}</h2>
        <LinkButton label={l10n.t('From Traffic…')} onClick={() => store.post({ type: 'fromTraffic' })} />
      </div>
      {store.isPartial.value && (
        <p class="hint" role="status">
          {l10n.t('Tools and images of this request are unknown, because its body was not captured.')}
        </p>
      )}
      <RequestFields />
      <div class="answer" role="status">
        <Answer />
      </div>
      <p class="hint">
        {l10n.t(
          'Nothing is sent. Changes count before they are saved. The gateway also skips models that are paused, too small, or without tools or images.',
        )}
      </p>
      <Json />
    </aside>
  );
}

function RequestFields() {
  const store = useStore();
  const { model, requestClass, agent, tools, tokens, hasImage } = store.trial.value;
  const tokensProblem = store.typing.value === 'trial.tokens' ? undefined : store.checked.value.tokensProblem;
  return (
    <>
      <TextField
        id="trial.model"
        label={l10n.t('Requested model')}
        value={model}
        list="targets"
        onInput={(text) => store.tryRequest({ model: text })}
      />
      <TextField
        id="trial.tokens"
        label={l10n.t('Input tokens')}
        value={tokens}
        problem={tokensProblem}
        onInput={(text) => store.tryRequest({ tokens: text })}
      />
      <TextField
        id="trial.tools"
        label={l10n.t('Tools')}
        value={tools}
        placeholder={l10n.t('None; separate names with commas')}
        onInput={(text) => store.tryRequest({ tools: text })}
      />
      <ClassField
        id="trial.class"
        value={requestClass}
        none={l10n.t('No class')}
        onChange={(chosen) => store.tryRequest({ requestClass: chosen })}
      />
      <TextField
        id="trial.agent"
        label={l10n.t('Agent')}
        value={agent}
        placeholder={l10n.t('None')}
        onInput={(text) => store.tryRequest({ agent: text })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={hasImage}
          onChange={({ currentTarget }) => store.tryRequest({ hasImage: currentTarget.checked })}
        />
        {l10n.t('Contains an image')}
      </label>
    </>
  );
}

function Answer() {
  const store = useStore();
  const { trial, problems } = store.checked.value;
  if (store.trial.value.model === '') return <p>{l10n.t('Enter a model first.')}</p>;
  if (trial !== undefined) return <Found {...trial} />;
  if (problems.length === 0) return null;
  return <p>{l10n.t('The answer is shown here once all mistakes are corrected.')}</p>;
}

function Found({ targets, route, rule }: TrialAnswer) {
  const [first, ...others] = targets;
  const { model } = useStore().trial.value;
  if (first === undefined) {
    return <p class="first">{l10n.t('No upstream offers “{0}”. The request would fail.', model)}</p>;
  }
  return (
    <>
      <p class="first">
        <Icon name="check" />
        {first.name}
      </p>
      <Health target={first.name} />
      <p>{useReason(route, rule)}</p>
      <Costs target={first} />
      {others.length === 0 ? (
        <p>{l10n.t('No other target would be tried after a failure.')}</p>
      ) : (
        <>
          <p>{l10n.t('After a failure, in this order:')}</p>
          <ol>
            {others.map((target) => (
              <li key={target.name}>
                {target.name} <Costs target={target} />
                <Health target={target.name} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Costs({ target }: { readonly target: TrialTarget }) {
  if (target.inputCost === undefined) return null;
  return <span class="hint">{l10n.t('{0} for the input', formatEstimate(target.inputCost))}</span>;
}

/** Why the model would answer. */
function useReason(route: string | undefined, index: number | undefined): string {
  const { routes, trial } = useStore();
  if (route === undefined)
    return l10n.t('“{0}” is not a route, so the upstream that offers it answers.', trial.value.model);
  const rule = routes.value.find(({ name }) => name === route)?.when[index ?? -1];
  if (rule === undefined || index === undefined) return l10n.t('Route “{0}”: no rule applies.', route);
  return l10n.t('Route “{0}”, rule {1}: {2}.', route, index + 1, conditionsText(conditionsOf(rule)));
}

/** The selected route as it is written into the settings. */
function Json() {
  const store = useStore();
  const json = store.checked.value.json[store.selected.value];
  return (
    <section class="json" aria-label={JSON_NAME}>
      <div class="json-head">
        <h2>{JSON_NAME}</h2>
        <OpenSettings setting="routes" />
      </div>
      {json !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
        <pre tabIndex={0}>{json}</pre>
      )}
    </section>
  );
}
