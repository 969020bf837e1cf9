/** Files in these are never meant, and are often more than all the rest of a workspace. A pattern of the editor's. */
export const SKIPPED_FOLDERS = '**/{node_modules,.git,bower_components,__pycache__,.venv}/**';
