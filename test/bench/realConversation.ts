import { step } from '../host/steps.ts';
import { startService } from '../real/services.ts';
import { openBarePage } from '../ui/barePage.ts';
import { events, listed, opening } from './conversation.ts';
import { askService } from './measured.ts';
import type { Row } from './table.ts';

/** So many are sent at once. */
const atOnce = 8;

/**
 * The first paint again, of a conversation as long at a real Agent Server,
 * which answers as fast as they do.
 */
export async function realConversation(): Promise<Row[]> {
  const measured = await startService('agentServer');
  const { id } = (await askService(measured, 'api/conversations', {
    workspace: { working_dir: measured.home },
    agent_settings: {},
    confirmation_policy: { kind: 'NeverConfirm' },
  })) as { readonly id: string };
  await step(`Writing ${events} messages to a real Agent Server`, async () => {
    const left = Array.from(
      { length: events },
      (_, index) => `Message ${index}`,
    );
    const send = async () => {
      for (let text = left.pop(); text !== undefined; text = left.pop()) {
        const content = [{ type: 'text', text }];
        await askService(measured, `api/conversations/${id}/events`, {
          role: 'user',
          content,
          run: false,
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
  });
  const bare = await openBarePage(undefined, { minify: true });
  try {
    const { service, conversation } = await listed(measured, id);
    return [
      await opening(
        measured,
        service,
        conversation,
        bare,
        ' at a real Agent Server',
      ),
    ];
  } finally {
    await bare.close();
  }
}
