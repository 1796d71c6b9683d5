import { t, words } from '../../base/l10n.ts';
import { contentOf } from '../agentServer/agents.ts';
import type { Creation } from '../abilities/agentService.ts';
import { partsOf } from '../model/newMessage.ts';
import { Requests, type Wire } from '../http/requests.ts';
import { sameId, type StartTask } from '../model/entities.ts';
import {
  readConversationV0,
  readConversationV1,
} from '../records/conversationRecord.ts';
import {
  complaint,
  enumValue,
  identifier,
  isObject,
  recordReader,
  type Source,
} from '../http/wireValues.ts';
import type { SandboxStates } from '../records/sandboxStates.ts';

const couldNot = words({
  createConversation: 'Could not create a conversation',
  followStart: 'Could not follow the start of the conversation',
});

const path = ['api', 'v1', 'app-conversations'];

export function creationV1(wire: Wire, states: SandboxStates): Creation {
  const requests = new Requests(wire, couldNot);
  const { transport } = wire;
  return {
    create: async (draft, call = {}) => {
      const {
        message: text,
        attached,
        repository,
        branch,
        provider,
        sandboxId,
      } = draft;
      const body = {
        initial_message: { content: contentOf(partsOf({ text, attached })) },
        ...(repository && {
          selected_repository: repository,
          git_provider: provider,
        }),
        ...(repository && branch && { selected_branch: branch }),
        sandbox_id: sandboxId,
      };
      const answer = await requests.send(
        'createConversation',
        { method: 'POST', path, body },
        call,
      );
      const conversation = readConversation(answer, transport.source);
      if (conversation) return { kind: 'conversation', conversation };
      const task = readStartTask(answer, transport.source);
      if (task) {
        states.note(task);
        return { kind: 'task', task };
      }
      const why = t('it contains neither a conversation nor a start task');
      throw requests.error(
        'createConversation',
        { kind: 'notUnderstood', why },
        true,
      );
    },
    task: async (id, call = {}) => {
      const sent = { path: [...path, 'start-tasks'], query: { ids: [id] } };
      const { items } = await requests.page(
        'followStart',
        sent,
        call,
        readStartTask,
      );
      const startTask = items.find((task) => sameId(task.id, id));
      if (startTask) states.note(startTask);
      return startTask;
    },
  };
}

/**
 * A service without start tasks answers with the conversation, in the form of
 * V1 or of V0.
 */
function readConversation(answer: unknown, source: Source) {
  if (!isObject(answer)) return undefined;
  if ('sandbox_status' in answer) return readConversationV1(answer, source);
  return 'conversation_id' in answer
    ? readConversationV0(answer, source)
    : undefined;
}

export const readStartTask = recordReader<StartTask>(
  'id',
  (id, record, { secrets }) => ({
    id,
    stage: enumValue(stages, record.status) ?? 'working',
    conversationId: identifier(record.app_conversation_id),
    sandboxId: identifier(record.sandbox_id),
    detail: complaint(record.detail, secrets),
  }),
);

const stages: Readonly<Record<string, StartTask['stage']>> = {
  WORKING: 'working',
  WAITING_FOR_SANDBOX: 'waitingForSandbox',
  PREPARING_REPOSITORY: 'preparingRepository',
  RUNNING_SETUP_SCRIPT: 'runningSetupScript',
  SETTING_UP_GIT_HOOKS: 'settingUpGitHooks',
  SETTING_UP_SKILLS: 'settingUpSkills',
  STARTING_CONVERSATION: 'startingConversation',
  READY: 'ready',
  ERROR: 'error',
};
