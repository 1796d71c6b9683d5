import { ConfigurationTarget, workspace } from 'vscode';
import { settings, type Settings } from './manifest.ts';

/** The value of a setting as it is now. A value of a wrong type is passed over. */
export function setting<Key extends keyof Settings>(key: Key): Settings[Key] {
  const value = workspace.getConfiguration('switchboard').get<unknown>(key);
  return typeof value === typeof settings[key] ? (value as Settings[Key]) : settings[key];
}

export async function changeSetting<Key extends keyof Settings>(
  key: Key,
  value: Settings[Key],
): Promise<void> {
  const chosen = value === settings[key] ? undefined : value;
  await workspace.getConfiguration('switchboard').update(key, chosen, ConfigurationTarget.Global);
}
