/** Lets the messages of a test say what the agent does. */
import {
  createFile,
  finish,
  otherTool,
  type PlannedTask,
  planTasks,
  replaceInFile,
  terminal,
  think,
  type ToolCall,
} from '../../../src/demo/world/demoTools.ts';
import {
  type AgentScript,
  callingStep,
  finishingStep,
  sayingStep,
  scriptOfDemo,
  type ScriptStep,
  writingMs,
} from '../../../src/demo/agentServer/script.ts';

const quickMs = 150;
const maxCount = 20_000;

/**
 * Each line `call: TOOL {"json": …}` is a step with that call, or with several
 * where ` ;; ` parts them. A line `say: TEXT` is a plain answer. `history:
 * COUNT` is as many events that have happened before, and `flood: COUNT` as
 * many commands, one after the other at once. Everything else is answered as
 * the demo does.
 */
export const scriptOfTests: AgentScript = (message, before) => {
  const lines = [...message.matchAll(/^(call|say|history|flood): (.+)$/gm)];
  if (lines.length === 0) return scriptOfDemo(message, before);
  return lines.flatMap(
    ([, kind, text = '']): ScriptStep | readonly ScriptStep[] => {
      if (kind === 'say') return sayingStep(text, quickMs + writingMs(text));
      const count = Math.min(Number.parseInt(text, 10) || 0, maxCount);
      if (kind === 'history')
        return { takes: quickMs, does: { kind: 'remembers', events: count } };
      if (kind === 'flood') {
        const one = (number: number) =>
          terminal(`echo ${number}`, { output: `${number}`, takes: 1 });
        const numbers = Array.from({ length: count }, (_, index) => index + 1);
        return numbers.map((number) =>
          callingStep({ thought: '', calls: [one(number)] }, 1),
        );
      }
      const calls = text.split(' ;; ').map(readCall);
      const [first] = calls;
      return first?.tool === 'finish'
        ? finishingStep(first.output, quickMs)
        : callingStep({ thought: 'Doing that now.', calls }, quickMs);
    },
  );
};

function readCall(line: string): ToolCall {
  const [, tool = '', json = '{}'] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
  try {
    return callOf(tool, JSON.parse(json) as ToolCall['input']);
  } catch {
    return callOf(tool, {});
  }
}

function callOf(tool: string, input: ToolCall['input']): ToolCall {
  const field = (name: string) =>
    typeof input[name] === 'string' ? input[name] : '';
  switch (tool) {
    case 'terminal':
      return terminal(field('command'), {
        output: /^echo ([^;&|]*)$/.exec(field('command'))?.[1] ?? '',
      });
    case 'file_editor':
      return field('command') === 'create'
        ? createFile(field('path'), field('file_text'))
        : replaceInFile(field('path'), [field('old_str'), field('new_str')]);
    case 'task_tracker':
      return planTasks((input.task_list ?? []) as readonly PlannedTask[]);
    case 'think':
      return think(field('thought'));
    case 'finish':
      return finish(field('message'));
    default:
      return {
        ...otherTool(tool, input, '', ''),
        action: undefined,
        output: `Tool '${tool}' not found. Available: ['terminal', 'file_editor', 'finish', 'think']`,
      };
  }
}
