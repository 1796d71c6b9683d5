/**
 * An extension that finds a problem in `cart.ts`, and has a test that fails.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const manifest = {
  name: 'checker',
  publisher: 'tests',
  version: '0.0.0',
  engines: { vscode: '^1.101.0' },
  activationEvents: ['onStartupFinished'],
  main: './extension.cjs',
};

const program = `
const { Diagnostic, languages, Range, TestMessage, TestRunProfileKind, tests, Uri, workspace } = require('vscode');
exports.activate = ({ subscriptions }) => {
  const found = languages.createDiagnosticCollection('checker');
  const check = (document) => {
    if (!document.uri.path.endsWith('/cart.ts')) return;
    const problems = [];
    for (let line = 0; line < document.lineCount; line++) {
      const at = document.lineAt(line).text.indexOf("'19%'");
      if (at < 0) continue;
      const problem = new Diagnostic(new Range(line, at, line, at + 5), "Type 'string' is not assignable to type 'number'.", 0);
      problems.push(Object.assign(problem, { source: 'ts', code: 2322 }));
    }
    found.set(document.uri, problems);
  };
  workspace.textDocuments.forEach(check);
  const controller = tests.createTestController('checker', 'Checker');
  const uri = Uri.joinPath(workspace.workspaceFolders[0].uri, 'src/cart.ts');
  const suite = controller.createTestItem('cart', 'the cart', uri);
  const item = controller.createTestItem('adds', 'adds up', uri);
  item.range = new Range(2, 0, 4, 1);
  controller.items.add(suite);
  suite.children.add(item);
  controller.createRunProfile('Run', TestRunProfileKind.Run, (request) => {
    const run = controller.createTestRun(request);
    run.started(item);
    const message = TestMessage.diff('Expected values to be equal', '30', '29');
    message.location = { uri, range: new Range(3, 0, 3, 5) };
    run.failed(item, [message, new TestMessage('It took too long')]);
    run.end();
  }, true);
  subscriptions.push(found, controller, workspace.onDidOpenTextDocument(check), workspace.onDidChangeTextDocument((e) => check(e.document)));
};
`;

export async function installChecker(extensions: string): Promise<void> {
  const folder = join(extensions, 'tests.checker-0.0.0');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'extension.cjs'), program);
}
