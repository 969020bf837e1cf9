import type { Page } from 'playwright-core';

/** Whether a text is in the saved state of the window, which a served editor stores in the browser. */
export function isInSavedState(page: Page, text: string): Promise<boolean> {
  return page.evaluate<boolean>(`(${FIND_IN_DATABASES})(${JSON.stringify(text)})`);
}

const FIND_IN_DATABASES = `async (text) => {
  const request = (made) => new Promise((resolve, reject) => {
    made.onsuccess = () => resolve(made.result);
    made.onerror = () => reject(made.error);
  });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await request(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const values = await request(database.transaction(store).objectStore(store).getAll());
        if (JSON.stringify(values).includes(text)) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
}`;
