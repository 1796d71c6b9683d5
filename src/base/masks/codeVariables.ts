/**
 * Names of environment variables that change what runs: their values are code,
 * or say where code comes from.
 */
import { isSecretName } from './secretNames.ts';

const names = [
  // Shells and the loader
  'PATH|PATHEXT|COMSPEC|SHELL|ENV|BASH_ENV|BASH_FUNC_.+|PROMPT_COMMAND|PS4|IFS|SHELLOPTS|BASHOPTS|ZDOTDIR|FPATH',
  '(?:LD|DYLD)_.+|GCONV_PATH|OPENSSL_(?:CONF|ENGINES|MODULES)',
  // Languages
  'NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE)|PYTHON(?:PATH|HOME|STARTUP|USERBASE|BREAKPOINT|WARNINGS|EXECUTABLE)',
  'PERL5?(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|GEM_(?:HOME|PATH)|BUNDLE_GEMFILE|PHPRC|PHP_INI_SCAN_DIR|LUA_(?:INIT|C?PATH).*',
  'CLASSPATH|JAVA_HOME|_?(?:JAVA|JDK)_(?:\\w+_)?OPTIONS|(?:JAVA|JVM|MAVEN|GRADLE|SBT)_OPTS|R_(?:PROFILE|ENVIRON|LIBS).*',
  'DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|ROOT)|COR(?:ECLR)?_(?:ENABLE_)?PROFIL.+',
  // Sources of packages
  'NPM_CONFIG_(?:NODE_OPTIONS|SCRIPT_SHELL|SHELL|REGISTRY|PREFIX|USERCONFIG|GLOBALCONFIG|GIT)',
  '(?:UV|PIP)_(?:\\w+_)?(?:INDEX|INDEX_URL|FIND_LINKS|CONFIG_FILE)',
  // Programs that other programs start
  'GIT_(?:SSH|EXEC_PATH|CONFIG.*|EXTERNAL_DIFF|TEMPLATE_DIR|DIR)|EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE',
  '\\w+_(?:COMMAND|ASKPASS|EDITOR|PAGER|WRAPPER|PRELOAD)',
];

// Windows has `Path`, and npm small letters.
const code = new RegExp(`^(?:${names.join('|')})$`, 'i');

export function isCodeVariable(name: string): boolean {
  return code.test(name) && !isSecretName(name);
}
