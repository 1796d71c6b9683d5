import { ConfigurationTarget, workspace } from 'vscode';
import { isEqual } from '../base/same.ts';
import type { LimitSettings } from '../state/costs/limits.ts';
import { settings, type Settings } from './manifest.ts';

/** The current value of a setting. A value of the wrong type is ignored. */
export function setting<Key extends keyof Settings>(key: Key): Settings[Key] {
  const value = workspace.getConfiguration('switchboard').get<unknown>(key);
  const standard = settings[key];
  const fits =
    standard === null
      ? typeof value === 'number'
      : typeof value === typeof standard &&
        value !== null &&
        Array.isArray(value) === Array.isArray(standard);
  return fits ? (value as Settings[Key]) : standard;
}

/** True if a program or an address is notified, too. */
export function isAttentionForwarded(): boolean {
  const { command, url } = setting('onAttention');
  return command !== undefined || url !== undefined;
}

export function limitSettings(): LimitSettings {
  const limit = (name: 'limits.conversation' | 'limits.day') => {
    const dollars = setting(name);
    return dollars !== null && dollars >= 0 ? dollars : undefined;
  };
  return {
    conversation: limit('limits.conversation'),
    day: limit('limits.day'),
  };
}

export function hasLimits(): boolean {
  const { conversation, day } = limitSettings();
  return conversation !== undefined || day !== undefined;
}

export async function changeSetting<Key extends keyof Settings>(
  key: Key,
  value: Settings[Key],
): Promise<void> {
  const chosen = isEqual(value, settings[key]) ? undefined : value;
  await workspace
    .getConfiguration('switchboard')
    .update(key, chosen, ConfigurationTarget.Global);
}
