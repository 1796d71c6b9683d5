import { workspace } from 'vscode';
import { settings, type Settings } from './manifest.ts';

/** The value of a setting as it is now. */
export function setting<Key extends keyof Settings>(key: Key): Settings[Key] {
  return workspace.getConfiguration('switchboard').get<Settings[Key]>(key, settings[key]);
}
