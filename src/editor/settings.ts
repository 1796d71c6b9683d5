import { ConfigurationTarget, workspace } from 'vscode';
import { settings, type Settings } from './manifest.ts';

/** The current value of a setting. A value of the wrong type is ignored. */
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
