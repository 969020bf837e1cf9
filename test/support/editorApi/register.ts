/** Lets tests outside the editor load classes that use its API: `vscode` is the stand-in of this folder. */
import { registerHooks } from 'node:module';

const STAND_IN = new URL('./vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: STAND_IN, shortCircuit: true } : next(specifier, context),
});
