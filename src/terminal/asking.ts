/** Loaded for a question only, because it needs Node's streams. */
import { createInterface } from 'node:readline';

/** Resolves to `undefined` without a terminal, and to '' if the user ends the program. */
export async function askUser(question: string): Promise<string | undefined> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return undefined;
  const reading = createInterface({ input, output });
  return await new Promise((resolve) => {
    reading.once('close', () => {
      resolve('');
    });
    reading.question(question, (answer) => {
      resolve(answer);
      reading.close();
    });
  });
}
