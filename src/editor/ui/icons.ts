import { ThemeColor, ThemeIcon } from 'vscode';
import type { Conversation } from '../../service/model/entities.ts';
import { type Activity, activityOf } from '../../state/lists/activity.ts';
import type { RequestedConversation } from '../../state/newConversation/requestedConversations.ts';

/** Every state has its own shape. Color only adds to it. */
export const activityIcons: Readonly<Record<Activity, ThemeIcon>> = {
  waiting: new ThemeIcon('bell-dot', new ThemeColor('list.warningForeground')),
  error: new ThemeIcon('error', new ThemeColor('list.errorForeground')),
  working: new ThemeIcon('sync~spin'),
  starting: new ThemeIcon('loading~spin'),
  idle: new ThemeIcon('comment'),
  stopped: new ThemeIcon('stop-circle'),
  archived: new ThemeIcon('archive'),
};

export const finishedIcon = new ThemeIcon(
  'pass',
  new ThemeColor('testing.iconPassed'),
);

export function conversationIcon(conversation: Conversation): ThemeIcon {
  const activity = activityOf(conversation);
  return activity === 'idle' && conversation.execution === 'finished'
    ? finishedIcon
    : activityIcons[activity];
}

const unknownOutcome = new ThemeIcon(
  'question',
  new ThemeColor('list.warningForeground'),
);

const draft = new ThemeIcon('edit');

export function requestedIcon({
  isDraft,
  error,
  cancelled,
  unknown,
}: RequestedConversation): ThemeIcon {
  if (isDraft) return draft;
  if (error === undefined) return activityIcons.starting;
  if (cancelled) return activityIcons.stopped;
  return unknown ? unknownOutcome : activityIcons.error;
}
