/**
 * A container that sandboxes are started from. In its environment, `SECRET`
 * stands for a secret value.
 */
export type Spec = ReturnType<typeof spec>;

const log = { LOG_LEVEL: 'info' };
const model = { MODEL_API_KEY: 'SECRET' };
const npm = { NPM_TOKEN: 'SECRET' };
const database = (name: string) => ({
  DATABASE_URL: `postgres://agent:SECRET@db.example.com/${name}`,
});

/** The first is the default. */
export const specs: readonly [Spec, ...Spec[]] = [
  spec('1.9-python', { ...log, ...model, PYTHONUNBUFFERED: '1' }),
  spec('1.9-node', { ...log, ...model, ...npm }),
  spec('1.8-java', { JAVA_OPTS: '-Xmx4g', ...database('app') }),
  spec('1.9-playwright', { ...log, ...model }),
  spec('1.9-go', { GOFLAGS: '-mod=readonly', ...model }),
  spec('1.8-postgres', { ...model, ...database('copy') }),
  spec('1.8-node', { LOG_LEVEL: 'debug', ...npm }),
];

function spec(version: string, environment: Readonly<Record<string, string>>) {
  return {
    /** The name of a container image. */
    name: `registry.example.com/agents/server:${version}`,
    command: ['--port', '8000'],
    folder: '/workspace/project',
    /** Days before the service was started. */
    age: version.startsWith('1.9') ? 12 : 74,
    environment,
  };
}
