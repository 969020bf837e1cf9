/** The vendor of the extension's models in the editor, as in the manifest. */
export const VENDOR = 'model-access';
