/** How the values of a server are spoken of: headers of a remote one, variables of a local program. Imports no editor. */
import { t } from '../../../base/l10n.ts';
import type { Transport } from '../../../mcp/dialects/ownKeys.ts';

const ofVariables = {
  example: 'API_KEY',
  title: () => t('Variables'),
  none: () => t('No Variables'),
  count: (count: number) => (count === 1 ? t('1 variable') : t('{0} variables', count)),
  add: () => t('Add Variable'),
  addAnother: () => t('Add Another Variable'),
  needed: () => t('Does the server need variables, for example for a key?'),
  choose: () => t('The variables of the server. Choose a variable to change or remove it.'),
  name: () => t('Name of the variable. Its value is asked for next, and hidden.'),
  value: (name: string) =>
    t('Value of the variable {0}. It is hidden here, and stored only with the server.', name),
  change: (name: string) => t('What to do with the variable {0}', name),
  typeName: () => t('Type the name of the variable, such as {0}.', ofVariables.example),
  sameName: () => t('There is already a variable with this name. Go back to change or remove it.'),
};

const ofHeaders: typeof ofVariables = {
  example: 'X-API-Key',
  title: () => t('Headers'),
  none: () => t('No Headers'),
  count: (count) => (count === 1 ? t('1 header') : t('{0} headers', count)),
  add: () => t('Add Header'),
  addAnother: () => t('Add Another Header'),
  needed: () => t('Does the server need headers, for example for a key?'),
  choose: () => t('The headers of the server. Choose a header to change or remove it.'),
  name: () => t('Name of the header. Its value is asked for next, and hidden.'),
  value: (name) => t('Value of the header {0}. It is hidden here, and stored only with the server.', name),
  change: (name) => t('What to do with the header {0}', name),
  typeName: () => t('Type the name of the header, such as {0}.', ofHeaders.example),
  sameName: () => t('There is already a header with this name. Go back to change or remove it.'),
};

export function valueWords({ transport }: { readonly transport: Transport | undefined }) {
  return transport === 'stdio' ? ofVariables : ofHeaders;
}
