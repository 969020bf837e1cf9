import * as l10n from '@vscode/l10n';
import type { RuleForm } from '../../pages/routes/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { Problem, TextField } from '../shared/textField.tsx';
import { moveByKey, RowActions } from './rowActions.tsx';
import { sentenceOf } from './ruleSentence.ts';
import { ClassField, SelectField } from './selectField.tsx';
import { useStore } from './store.ts';
import { TargetList } from './targetList.tsx';

interface RuleRowProps {
  readonly rule: RuleForm;
  readonly index: number;
}

/** A rule as a sentence, which opens its fields. Alt with the arrow keys moves it, and Delete removes it. */
export function RuleRow({ rule, index }: RuleRowProps) {
  const store = useStore();
  const isOpen = store.openRule.value === index;
  const count = store.route.value?.when.length ?? 0;
  const move = (step: 1 | -1) => store.moveRule(index, step);
  const remove = () => store.deleteRule(index);
  return (
    <li class={isOpen ? 'rule open' : 'rule'}>
      <div class="rule-head">
        <button
          id={`when.${index}`}
          type="button"
          class="rule-sentence"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
          onKeyDown={(event) => {
            moveByKey(event, move);
            if (event.key === 'Delete') remove();
          }}
          onClick={() => {
            store.openRule.value = isOpen ? undefined : index;
          }}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
          <span class="number">{index + 1}</span>
          <span>{sentenceOf(rule)}</span>
        </button>
        <RowActions name={l10n.t('Rule {0}', index + 1)} {...{ index, count, move, remove }} />
      </div>
      <RuleProblem index={index} isOpen={isOpen} />
      {isOpen && <RuleFields rule={rule} index={index} />}
    </li>
  );
}

/** The problem of the rule, or of its fields while they are hidden. */
function RuleProblem({ index, isOpen }: { readonly index: number; readonly isOpen: boolean }) {
  const store = useStore();
  const path = `when.${index}`;
  const hidden = store.problems.value.find(
    ({ route, field }) => route === store.selected.value && field.startsWith(`${path}.`),
  );
  const problem = store.problemOf(path) ?? (isOpen ? undefined : hidden);
  if (problem === undefined) return null;
  return (
    <p class="hint problem">
      <Problem text={problem.text} />
    </p>
  );
}

function RuleFields({ rule, index }: RuleRowProps) {
  const store = useStore();
  const path = `when.${index}`;
  const change = (part: Partial<RuleForm>) => store.changeRule(index, part);
  const isEmpty = store.problemOf(path) !== undefined;
  return (
    <div class="rule-fields">
      <p class="hint">{l10n.t('All conditions of a rule must apply. Empty fields are no condition.')}</p>
      <div class="conditions">
        <ClassField
          id={`${path}.requestClass`}
          value={rule.requestClass}
          none={l10n.t('Any class')}
          isInvalid={isEmpty}
          onChange={(requestClass) => change({ requestClass })}
        />
        <TextField
          id={`${path}.agent`}
          label={l10n.t('Agent')}
          value={rule.agent}
          placeholder="Explore"
          onInput={(agent) => change({ agent })}
        />
        <TextField
          id={`${path}.tool`}
          label={l10n.t('Offers the tool')}
          value={rule.tool}
          placeholder="web_search"
          onInput={(tool) => change({ tool })}
        />
        <SelectField
          id={`${path}.image`}
          label={l10n.t('Images')}
          value={rule.image}
          options={[
            ['', l10n.t('With or without')],
            ['yes', l10n.t('With an image')],
            ['no', l10n.t('Without images')],
          ]}
          onChange={(image) => change({ image })}
        />
        <TokenFields rule={rule} index={index} />
      </div>
      <p class="hint">{l10n.t('Targets of this rule, in this order')}</p>
      <TargetList path={`${path}.use`} targets={rule.use} onChange={(use) => change({ use })} />
    </div>
  );
}

function TokenFields({ rule, index }: RuleRowProps) {
  const store = useStore();
  const fields = [
    ['tokensAbove', l10n.t('More input tokens than'), '180000'],
    ['tokensBelow', l10n.t('Fewer input tokens than'), '8000'],
  ] as const;
  return fields.map(([field, label, placeholder]) => (
    <TextField
      key={field}
      id={`when.${index}.${field}`}
      label={label}
      value={rule[field]}
      placeholder={placeholder}
      problem={store.problemOf(`when.${index}.${field}`)?.text}
      onInput={(text) => store.changeRule(index, { [field]: text })}
    />
  ));
}
