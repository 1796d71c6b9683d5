/** Programs, packages and their commands by what they do, as far as names tell. */

/** They try servers out. */
export const inspectors = /(?:^|[/-])inspector(?:@|$)/;

/** They install or set up something, whatever they are told. */
export const installingPackages =
  /^(?:smithery|add-mcp|install-mcp|mcp-add|mcp-install|mcpm|skills|@smithery\/cli|(?:@[\w-]+\/)?(?:mcp-get|create-[\w-]+|(?:[\w-]+-)?wizard))(?:@|$)/;
export const installingPrograms =
  /^(?:pip3?|brew|apt(?:-get)?|yum|dnf|winget|choco|scoop|git|gem|conda|uv|docker|dotnet)$/;
export const settingUp =
  /^(?:(?:un)?install(?:-[\w-]+)?|i|ci|init|set-?up|add|remove|rm|create|new|config(?:ure)?|log(?:in|out)|auth|update|upgrade|publish|generate|deploy|doctor|migrate|clone|pull|register|get|download|venv|sync)$/;

/** They do something and end, whatever they are told. */
export const workingPackages =
  /^(?:@[\w-]+\/)?(?:prettier|eslint|biome|tsc|typescript|tsx|ts-node|vitest|jest|mocha|playwright|cypress|vite|next|nx|turbo|wrangler|vercel|netlify|serve|http-server|nodemon|rimraf|degit|husky|lint-staged|ncu|cowsay|ruff|black|mypy|pyright|pytest|tox|nox|pre-commit|cookiecutter|twine|poetry|jupyter|mcp-scan|mcp-cli|mcptools|mcp-publisher)(?:@|$)/;
export const workingPrograms =
  /^(?:npm|pnpm|yarn|make|just|task|cargo|gradlew?|mvnw?|go|echo|cat|curl|wget|ls|rm|cp|mv|mkdir|chmod|cd|source|sleep|grep|sed|awk|kill|pytest|eslint|prettier|tsc|jest|vitest|ruff|black|mypy)$/;
export const working =
  /^(?:build|compile|test|lint|format|fmt|check|fix|clean|list|ls|help|version|status|audit|scan|search|show|call|inspect|eval|go|chat|edit|batch)$/;

export const languageServers =
  /language-?server|langserver|(?:^|[/-])lsp(?:-|$)|^(?:gopls|clangd|rust-analyzer|pylsp|jdtls|solargraph)$/i;

/** They do nothing without a command of their own. */
export const plainImages =
  /^(?:(?:docker\.io\/)?library\/)?(?:ubuntu|debian|alpine|busybox|fedora|centos|hello-world|node|python|golang|rust|openjdk|ruby|php|nginx|httpd|redis|postgres|mysql|mongo)(?::|@|$)/;
