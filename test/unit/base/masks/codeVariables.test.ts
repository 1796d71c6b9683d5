import assert from 'node:assert/strict';
import { isCodeVariable } from '../../../../src/base/masks/codeVariables.ts';

describe('a variable that changes what runs', () => {
  it('has one of the known names', () => {
    const names =
      'PATH Path NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV SHELL PS4 ' +
      'BASH_FUNC_ls%% PROMPT_COMMAND ZDOTDIR PYTHONSTARTUP PYTHONPATH PYTHONBREAKPOINT PERL5OPT PERL5LIB RUBYOPT ' +
      'CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS MAVEN_OPTS DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH LUA_INIT_5_4 ' +
      'GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_CONFIG_COUNT GIT_CONFIG_VALUE_0 GIT_EXTERNAL_DIFF SSH_ASKPASS EDITOR ' +
      'GIT_PAGER LESSOPEN BROWSER RUSTC_WRAPPER npm_config_registry NPM_CONFIG_SCRIPT_SHELL UV_INDEX_URL PIP_INDEX_URL ' +
      'OPENSSL_CONF COMSPEC';
    assert.deepEqual(
      names.split(' ').filter((name) => !isCodeVariable(name)),
      [],
    );
  });

  it('never has the name of a mere value or of a secret', () => {
    const names =
      'API_KEY LOG_LEVEL NODE_ENV DB_PATH PATHS MY_PATH_2 HOME PORT DEBUG GITHUB_TOKEN GIT_TOKEN GIT_AUTHOR_NAME ' +
      'PYTHONUNBUFFERED NODE_EXTRA_CA_CERTS HTTPS_PROXY npm_config_yes npm_config__auth NPM_CONFIG__AUTHTOKEN ' +
      'ENVIRONMENT JAVA_VERSION LDAP_URL SEARCH_OPTIONS';
    assert.deepEqual(names.split(' ').filter(isCodeVariable), []);
  });
});
