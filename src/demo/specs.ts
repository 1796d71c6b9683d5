/** What sandboxes are started from. The first is the default. */
export interface Spec {
  /** The name of a container image. */
  readonly name: string;
  readonly command: readonly string[];
  readonly folder: string;
  /** Days before the service was started. */
  readonly age: number;
  /** `SECRET` stands for a secret value. */
  readonly environment: Readonly<Record<string, string>>;
}

const age = 12;

const server: Pick<Spec, 'command' | 'folder'> = {
  command: ['--port', '8000'],
  folder: '/workspace/project',
};

export const specs: readonly [Spec, ...Spec[]] = [
  {
    ...server,
    name: 'registry.example.com/agents/server:1.9-python',
    age,
    environment: { LOG_LEVEL: 'info', MODEL_API_KEY: 'SECRET', PYTHONUNBUFFERED: '1' },
  },
  {
    ...server,
    name: 'registry.example.com/agents/server:1.9-node',
    age,
    environment: { LOG_LEVEL: 'info', MODEL_API_KEY: 'SECRET', NPM_TOKEN: 'SECRET' },
  },
  {
    ...server,
    name: 'registry.example.com/agents/server:1.8-java',
    age: 74,
    environment: { JAVA_OPTS: '-Xmx4g', DATABASE_URL: 'postgres://agent:SECRET@db.example.com/app' },
  },
  {
    ...server,
    name: 'registry.example.com/agents/server:1.9-playwright',
    age,
    environment: { LOG_LEVEL: 'info', MODEL_API_KEY: 'SECRET' },
  },
  {
    ...server,
    name: 'registry.example.com/agents/server:1.9-go',
    age,
    environment: { GOFLAGS: '-mod=readonly', MODEL_API_KEY: 'SECRET' },
  },
  {
    ...server,
    name: 'registry.example.com/agents/server:1.8-postgres',
    age: 74,
    environment: { MODEL_API_KEY: 'SECRET', DATABASE_URL: 'postgres://agent:SECRET@db.example.com/copy' },
  },
  {
    ...server,
    name: 'registry.example.com/agents/server:1.8-node',
    age: 74,
    environment: { LOG_LEVEL: 'debug', NPM_TOKEN: 'SECRET' },
  },
];
