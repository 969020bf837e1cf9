import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { Replay, ReplayedRequest } from '../../../pages/session/replay/protocol.ts';
import { FigureList } from '../../shared/figureList.tsx';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../store.ts';
import { clockTime } from '../words.ts';
import { ReplayedRequestView } from './replayedRequest.tsx';
import { replayFigures, replayNote, replayState } from './replayWords.ts';

/** With more requests, all are closed at first. */
const MAX_OPEN = 12;

/** Recorded requests next to their answers by another model. */
export function ReplayPage({ replay, name }: { readonly replay: Replay; readonly name: string }) {
  const [areOpen, setOpen] = useState(replay.steps.length <= MAX_OPEN);
  return (
    <>
      <ReplayHeader replay={replay} name={name} areOpen={areOpen} onOpen={setOpen} />
      {replay.problem !== undefined && (
        <p class="card warning" role="alert">
          <Icon name="warning" />
          {replay.problem}
        </p>
      )}
      <FigureList figures={replayFigures(replay)} />
      <p class="quiet">
        {l10n.t(
          'Each request contains the conversation as it was recorded, with the recorded answers and tool results before it. No tools were run.',
        )}
      </p>
      {[...Map.groupBy(replay.steps, ({ turn }) => turn)].map(([turn, steps]) => (
        <ReplayedTurn key={turn} turn={turn} steps={steps} replay={replay} areOpen={areOpen} />
      ))}
    </>
  );
}

interface ReplayHeaderProps {
  readonly replay: Replay;
  readonly name: string;
  readonly areOpen: boolean;
  readonly onOpen: (areOpen: boolean) => void;
}

function ReplayHeader({ replay, name, areOpen, onOpen }: ReplayHeaderProps) {
  const store = useStore();
  const { id, isRunning, model } = replay;
  return (
    <header class="session-head">
      <div class="session-title">
        <nav aria-label={l10n.t('Breadcrumb')} class="crumbs">
          <button type="button" class="link" onClick={() => store.closeReplay()}>
            {name}
          </button>
          <Icon name="chevron-right" size={12} />
          <span>{l10n.t('Replay')}</span>
        </nav>
        <h1>
          {l10n.t('Replay on {0}', model)}
          <span class="session-state" role="status">
            {replayState(replay)}
          </span>
        </h1>
        <p class="quiet">{replayNote(replay)}</p>
      </div>
      <div class="session-actions">
        {isRunning && (
          <button type="button" class="button" onClick={() => store.post({ type: 'stopReplay', id })}>
            <Icon name="debug-stop" size={14} />
            {l10n.t('Stop')}
          </button>
        )}
        <button type="button" class="button" onClick={() => onOpen(!areOpen)}>
          <Icon name={areOpen ? 'collapse-all' : 'expand-all'} size={14} />
          {areOpen ? l10n.t('Collapse All') : l10n.t('Expand All')}
        </button>
        <button type="button" class="button" onClick={() => store.post({ type: 'showReplayInTraffic', id })}>
          <Icon name="pulse" size={14} />
          {l10n.t('Show in Traffic')}
        </button>
      </div>
    </header>
  );
}

interface ReplayedTurnProps {
  readonly turn: number;
  readonly steps: readonly ReplayedRequest[];
  readonly replay: Replay;
  readonly areOpen: boolean;
}

function ReplayedTurn({ turn, steps, replay, areOpen }: ReplayedTurnProps) {
  return (
    <section class="section replayed-turn">
      <h2>
        {l10n.t('Turn {0}', turn)}
        <span class="quiet">{` ${clockTime(steps[0]?.at ?? 0)}`}</span>
      </h2>
      {steps.map((step) => (
        <ReplayedRequestView key={`${step.number} ${areOpen}`} step={step} replay={replay} isOpen={areOpen} />
      ))}
    </section>
  );
}
