/** Questions to the user of a terminal. Loaded when there is one, because it needs Node's streams. */
import { createInterface } from 'node:readline';

/** Resolves to the answer; to undefined where there is nobody to ask, and to nothing where the user ends the program. */
export async function ask(question: string): Promise<string | undefined> {
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
