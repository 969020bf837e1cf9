import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RouteForm, RouteLimitField } from '../../pages/routes/protocol.ts';
import { Button } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { Problem, TextField } from '../shared/textField.tsx';
import { RuleRow } from './ruleRow.tsx';
import { useStore } from './store.ts';
import { TargetList } from './targetList.tsx';

const TRIGGER_TEXTS: Readonly<Record<ExtraTrigger, () => string>> = {
  overflow: () => l10n.t('Request too long for the model'),
  credit: () => l10n.t('Out of credit'),
  refusal: () => l10n.t('Refused before any output'),
  filter: () => l10n.t('Content filter'),
};

type ExtraTrigger = RouteForm['also'][number];
const LIMIT_FIELDS: readonly RouteLimitField[] = ['firstTokenSeconds', 'idleSeconds', 'totalSeconds'];
const TRIGGERS: readonly ExtraTrigger[] = ['overflow', 'credit', 'refusal', 'filter'];

/** The selected route: its name, rules, targets, failures, and limits. */
export function RouteEditor() {
  const store = useStore();
  const route = store.route.value;
  if (route === undefined) {
    return (
      <div class="no-routes">
        <p>{l10n.t('No routes. Tools get the model that they request.')}</p>
        <p class="hint">
          {l10n.t(
            'With a route, another model answers while the first one fails, or short requests get a cheaper model.',
          )}
        </p>
      </div>
    );
  }
  return (
    <div class="route">
      <Name name={route.name} />
      <Section
        name={l10n.t('Targets')}
        note={l10n.t(
          'Used if no rule applies, and tried in this order. A session stays with its target while it is healthy.',
        )}
      >
        <TargetList path="use" targets={route.use} onChange={(use) => store.change({ use })} />
      </Section>
      <Section name={l10n.t('Rules')} note={l10n.t('The first rule that applies decides.')}>
        {route.when.length > 0 && (
          <ol class="rows">
            {route.when.map((rule, index) => (
              <RuleRow key={index} rule={rule} index={index} />
            ))}
          </ol>
        )}
        <button id="add-rule" type="button" class="link add-row" onClick={() => store.addRule()}>
          <Icon name="add" size={14} />
          {l10n.t('Add Rule')}
        </button>
      </Section>
      <Exceptions route={route} />
    </div>
  );
}

/** What few routes need. Open if the route differs from the usual, or has a mistake there. */
function Exceptions({ route: { also, limits } }: { readonly route: RouteForm }) {
  const store = useStore();
  const isUsual = also.length === 0 && Object.values(limits).every((text) => text.trim() === '');
  const hasMistake = LIMIT_FIELDS.some((field) => store.problemOf(field) !== undefined);
  const [isOpen] = useState(!isUsual);
  return (
    <details class="exceptions" open={isOpen || hasMistake}>
      <summary>{l10n.t('Errors and time limits')}</summary>
      <Triggers also={also} />
      <Limits limits={limits} />
    </details>
  );
}

interface RouteSectionProps {
  readonly name: string;
  readonly note: string;
  readonly children: ComponentChildren;
}

function Section({ name, note, children }: RouteSectionProps) {
  return (
    <fieldset class="route-section">
      <legend>{name}</legend>
      <p class="hint">{note}</p>
      {children}
    </fieldset>
  );
}

function Name({ name }: { readonly name: string }) {
  const store = useStore();
  const refusal = store.refusal.value;
  const problem = refusal?.field === 'name' ? refusal.text : store.problemOf('name')?.text;
  return (
    <div class="name-row" onFocusOut={() => store.rename()}>
      <TextField
        id="name"
        label={l10n.t('Name')}
        value={store.typedName.value ?? name}
        hint={l10n.t('Tools send it as the model.')}
        problem={problem}
        onInput={(text) => {
          store.typedName.value = text;
        }}
      />
      <Button label={l10n.t('Delete Route')} onClick={() => store.deleteRoute()} />
      {refusal?.field === 'delete' && (
        <p class="hint problem" role="alert">
          <Problem text={refusal.text} />
        </p>
      )}
    </div>
  );
}

function Triggers({ also }: Pick<RouteForm, 'also'>) {
  const store = useStore();
  const toggle = (trigger: ExtraTrigger, isOn: boolean) =>
    store.change({ also: TRIGGERS.filter((each) => (each === trigger ? isOn : also.includes(each))) });
  return (
    <Section
      name={l10n.t('Try the next target on')}
      note={l10n.t(
        'Always: rate limits, server and network errors, timeouts, a missing model, and a rejected key of the upstream. After the first output, nothing is tried again.',
      )}
    >
      <div class="triggers">
        {TRIGGERS.map((trigger) => (
          <label key={trigger}>
            <input
              type="checkbox"
              checked={also.includes(trigger)}
              onChange={({ currentTarget }) => toggle(trigger, currentTarget.checked)}
            />
            {TRIGGER_TEXTS[trigger]()}
          </label>
        ))}
      </div>
    </Section>
  );
}

function Limits({ limits }: Pick<RouteForm, 'limits'>) {
  const store = useStore();
  const labels: Readonly<Record<RouteLimitField, string>> = {
    firstTokenSeconds: l10n.t('First token'),
    idleSeconds: l10n.t('Silence'),
    totalSeconds: l10n.t('Whole request'),
  };
  return (
    <Section
      name={l10n.t('Time limits')}
      note={l10n.t('In seconds; 0 means no limit. An empty field leaves the limit of the upstream.')}
    >
      <div class="limits">
        {LIMIT_FIELDS.map((field) => (
          <TextField
            key={field}
            id={field}
            label={labels[field]}
            value={limits[field]}
            problem={store.problemOf(field)?.text}
            onInput={(text) => store.change({ limits: { ...limits, [field]: text } })}
          />
        ))}
      </div>
    </Section>
  );
}
