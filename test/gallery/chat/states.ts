/** The states in the gallery. */
import { AGENT_STATES } from './states/agentStates.ts';
import { COMPOSER_STATES } from './states/composerStates.ts';
import { CONVERSATION_STATES } from './states/conversationStates.ts';
import type { GalleryState } from './states/galleryState.ts';
import { HISTORY_STATES } from './states/historyStates.ts';
import { OBSTACLE_STATES } from './states/obstacleStates.ts';

export type { GalleryState } from './states/galleryState.ts';

export const STATES: readonly GalleryState[] = [
  ...CONVERSATION_STATES,
  ...HISTORY_STATES,
  ...OBSTACLE_STATES,
  ...COMPOSER_STATES,
  ...AGENT_STATES,
];
