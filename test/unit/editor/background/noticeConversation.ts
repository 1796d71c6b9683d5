/**
 * node noticeConversation.ts FILE TIMES: has an agent begin to wait this many
 * times, and prints a letter for each notice.
 */
import { noLog } from '../../../../src/base/log.ts';
import { SharedMemory } from '../../../../src/editor/background/sharedMemory.ts';
import { keyOf } from '../../../../src/service/model/entities.ts';
import { conversation } from '../../state/support.ts';

const [file = '', times = '0'] = process.argv.slice(2);
const memory = new SharedMemory(file, noLog);
for (let at = 1; at <= 2 * Number(times); at++) {
  const seen = conversation({
    id: 'c0',
    execution: at % 2 === 0 ? 'waitingForConfirmation' : 'running',
  });
  const notices = await memory.add([
    { key: keyOf(seen), conversation: seen, actions: undefined, at },
  ]);
  process.stdout.write('n'.repeat(notices.length));
}
