/** Under which the extension's own models stand in the editor; the same as in the manifest. */
export const VENDOR = 'model-access';
