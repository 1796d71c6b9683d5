import { text, type HttpAnswer, type Call } from './http.ts';
import type { RouteContext } from './route.ts';

/** Pages for a browser: about the demo, about a conversation, and for each exposed address of a sandbox. */
export function answerBrowser({ segments }: Call, { world }: RouteContext): HttpAnswer {
  const [kind, id = '', name = ''] = segments;
  if (segments.length === 1 && kind === '') {
    return html(
      'Agent Switchboard demo service',
      'A service with invented conversations and sandboxes. Its interfaces are below /api and require a key.',
    );
  }
  if (segments.length === 2 && kind === 'conversations') {
    const conversation = world.conversation(id);
    if (conversation) {
      const { execution, sandbox } = world.condition(conversation);
      const doing = execution ?? `sandbox ${sandbox.status.toLowerCase()}`;
      return html(conversation.title, `${conversation.repository?.name ?? 'No repository'}: ${doing}`);
    }
  }
  if (segments.length === 3 && kind === 'exposed' && world.sandboxes.find(id)) {
    return html(name, `This is where the sandbox ${id} would show ${name}.`);
  }
  if (segments.length === 1 && kind === 'editor') {
    return html('Editor', 'This is where the Agent Server would show the editor that runs beside the agent.');
  }
  return html('Not found', 'The demo service does not have this page.', 404);
}

function html(title: string, body: string, status = 200): HttpAnswer {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(title)}</title>
<h1>${escape(title)}</h1>
<p>${escape(body)}</p>
</html>
`;
  const answer = text(page, 'text/html; charset=utf-8', status);
  return { ...answer, headers: { ...answer.headers, 'content-security-policy': "default-src 'none'" } };
}

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
