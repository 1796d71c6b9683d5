/**
 * Stands for a model, as a server with the interface of OpenAI. It answers by
 * rule, so that an agent does what a test says: each line `call: TOOL {"json":
 * …}` of the last message of the user is a step with a call of that tool, or of
 * several where ` ;; ` parts them, and a line `say: TEXT` is a plain answer.
 * After the last line it finishes. Asked for a title, it gives that of a line
 * `title: TEXT`.
 */
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep, systemClock } from '../../src/base/clock.ts';

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
}

interface Question {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly function: Tool }[];
}

interface Tool {
  readonly name: string;
  readonly parameters?: {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
}

interface Call {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

interface Reply {
  readonly content: string;
  readonly calls: readonly Call[];
}

export interface Model {
  readonly url: string;
  /** The names of the tools that it was last offered. */
  offered(): readonly string[];
  /** All that it was given to read when an agent asked it, each time. */
  readonly asked: readonly string[];
  /** Answers no agent until the returned function is called. */
  hold(): () => void;
  /** Answers each agent after this time, as slow models do. */
  thinkFor(milliseconds: number): void;
  stop(): Promise<void>;
}

export async function startModel(): Promise<Model> {
  let offered: readonly string[] = [];
  const asked: string[] = [];
  let released: Promise<undefined> | undefined;
  let thinkingMs = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const question = JSON.parse(body === '' ? '{}' : body) as Question;
      const tools = question.tools?.map((tool) => tool.function) ?? [];
      if (tools.length > 0) {
        offered = tools.map(({ name }) => name);
        asked.push(
          (question.messages ?? [])
            .map(({ content }) => textOf(content))
            .join('\n'),
        );
        await released;
        await sleep(systemClock, thinkingMs);
      }
      answer(response, question, nextReply(question, tools));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    offered: () => offered,
    asked,
    thinkFor: (milliseconds) => {
      thinkingMs = milliseconds;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      released = promise;
      return () => {
        resolve(undefined);
      };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function nextReply({ messages = [] }: Question, tools: readonly Tool[]): Reply {
  if (tools.length === 0) {
    const text = messages.map(({ content }) => textOf(content)).join('\n');
    return { content: /^title: (.+)$/m.exec(text)?.[1] ?? 'Done.', calls: [] };
  }
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const done = messages
    .slice(last + 1)
    .filter(({ role }) => role === 'assistant').length;
  const lines = [
    ...textOf(messages[last]?.content).matchAll(/^(call|say): (.+)$/gm),
  ];
  const [, what, rest = ''] = lines[done] ?? [];
  if (what === 'say') return { content: rest, calls: [] };
  const given =
    what === 'call' ? rest.split(' ;; ') : ['finish {"message": "Done."}'];
  const calls = given.flatMap((one) => readCall(one, tools));
  return {
    content:
      calls.length > 0
        ? `I call ${calls.map(({ name }) => name).join(' and ')}.`
        : 'Done.',
    calls,
  };
}

function readCall(line: string, tools: readonly Tool[]): Call | readonly [] {
  const [, name = '', json = '{}'] = /^(\S+) (.+)$/.exec(line) ?? [];
  const tool = tools.find((each) => each.name === name);
  // A tool that is not offered can be called too, to see what happens.
  if (!tool) return name === 'finish' ? [] : { name, arguments: json };
  // Some agents want to know of each call how dangerous it is.
  const asksRisk = tool.parameters?.properties?.security_risk !== undefined;
  const given = JSON.parse(json) as object;
  return {
    name,
    arguments: JSON.stringify(
      asksRisk ? { security_risk: 'LOW', ...given } : given,
    ),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { readonly text?: unknown }) =>
      typeof part.text === 'string' ? part.text : '',
    )
    .join('\n');
}

function answer(
  response: ServerResponse,
  { model = 'rule', stream = false }: Question,
  { content, calls }: Reply,
): void {
  const tool_calls = calls.map((call, index) => ({
    index,
    id: `call_${Date.now()}_${index}`,
    type: 'function',
    function: call,
  }));
  const hasCalls = tool_calls.length > 0;
  const message = {
    role: 'assistant',
    content,
    ...(hasCalls && { tool_calls }),
  };
  const finish_reason = hasCalls ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const about = {
    id: `answer-${Date.now()}`,
    created: Math.floor(Date.now() / 1000),
    model,
    usage,
  };
  if (!stream) {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        ...about,
        object: 'chat.completion',
        choices: [{ index: 0, finish_reason, message }],
      }),
    );
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const choices = [{ index: 0, finish_reason, delta: message }];
  response.end(
    `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices })}\n\ndata: [DONE]\n\n`,
  );
}
