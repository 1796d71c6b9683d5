import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf } from '../../src/state/lists/conversationRows.ts';

const dayMs = 86_400_000;

/**
 * Writes what a window with this home has seen agents spend in the last weeks.
 */
export async function writeSpentDays(home: string): Promise<void> {
  const now = Date.now();
  const dollars = [
    1.2, 0.4, 0, 0, 2.75, 3.1, 0.9, 1.75, 0.05, 0, 0, 2.2, 4.8, 1.1, 2.6, 0.7,
    0, 0.3, 3.4, 2.1, 1.6, 0.9, 2.8,
  ];
  const folder = join(
    home,
    '../user-data/User/globalStorage/agent-switchboard.agent-switchboard',
  );
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'spending.json'),
    JSON.stringify({
      format: 1,
      floor: 0,
      services: [['an earlier service', now - dollars.length * dayMs]],
      days: dollars.map((amount, index) => [
        dayOf(now - (dollars.length - index) * dayMs),
        Math.round(amount * 1e9),
      ]),
      conversations: [],
    }),
  );
}
