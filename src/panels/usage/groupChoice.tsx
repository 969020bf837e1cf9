import * as l10n from '@vscode/l10n';

interface GroupChoiceProps<Grouping extends string> {
  /** The ID of the label, one for each choice on the page. */
  readonly labelId: string;
  readonly options: readonly (readonly [Grouping, label: () => string])[];
  readonly chosen: Grouping;
  readonly onChoose: (grouping: Grouping) => void;
}

/** Buttons that choose what a row of a table represents. */
export function GroupChoice<Grouping extends string>(props: GroupChoiceProps<Grouping>) {
  const { labelId, options, chosen, onChoose } = props;
  return (
    <div class="group-choice">
      <span class="quiet" id={labelId}>
        {l10n.t('Group by')}
      </span>
      <fieldset class="segments" aria-labelledby={labelId}>
        {options.map(([each, label]) => (
          <button key={each} type="button" aria-pressed={each === chosen} onClick={() => onChoose(each)}>
            {label()}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
