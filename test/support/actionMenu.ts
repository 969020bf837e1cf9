import type { Locator } from 'playwright-core';

/** Chooses an action from the menu of a code block. */
export function chooseForCode(block: Locator, action: string): Promise<void> {
  return choose(block, 'More actions for this code', action);
}

/** Chooses an action from the menu of an answer. */
export function chooseForAnswer(answer: Locator, action: string): Promise<void> {
  return choose(answer, 'More actions for this answer', action);
}

async function choose(scope: Locator, menu: string, action: string): Promise<void> {
  await scope.getByRole('button', { name: menu }).click();
  await scope.getByRole('menuitem', { name: action }).click();
}
