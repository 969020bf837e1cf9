/** A glob of folders whose files are rarely wanted, and often outnumber all others in a workspace. */
export const SKIPPED_FOLDERS = '**/{node_modules,.git,bower_components,__pycache__,.venv}/**';
