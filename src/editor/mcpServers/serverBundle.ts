/** Loaded together, to show MCP servers and their checks. */
export { showChecks } from './checks.ts';
export { ServerPages } from './serverPages.ts';
export { ServersTree } from './serversTree.ts';
export { ServiceServersRows } from './serviceServersRows.ts';
