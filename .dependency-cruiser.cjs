/** The direction in which rooms may depend on each other; a row is a door that stays shut. */
const forbid = (name, from, to, comment, extra = {}) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: to, ...extra.to },
});
const product = 'domain|workflows|activities|starts|api|workers|health|db|integrations|platform|cli|clients';
/** Every room but these. */
const only = (...rooms) =>
  `^(?!(${rooms.join('|')})/)(${product}|sandbox|dev|deploy|tests|evidence|main\\.ts)`;
const rooms = 'domain|workflows|activities|starts|api|workers|db';
const services =
  'router|orchestrator|registry|intake|notification|organization|patients|bridge|worklist|codec';
/** What they all share: it knows none of them. */
const shared = 'retention|events|access';
const valuesOnly = { to: { dependencyTypesNot: ['type-only'] } };

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    forbid('domain-stands-alone', '^domain/', only('domain'), 'domain is pure rules'),
    forbid(
      'workflows-know-rules-only',
      '^workflows/',
      only('domain', 'workflows', 'activities'),
      'workflow code is replayed',
    ),
    forbid(
      'workflows-take-activity-types',
      '^workflows/',
      '^activities/',
      'only the types of activities',
      valuesOnly,
    ),
    forbid(
      'activities-serve-workers',
      '^activities/',
      only('domain', 'activities', 'db', 'integrations', 'platform'),
      'activities know no caller',
    ),
    forbid(
      'starts-is-the-client',
      '^starts/',
      only('domain', 'workflows', 'starts', 'db', 'platform'),
      'how a run is started says nothing of HTTP',
    ),
    forbid(
      'api-answers',
      '^api/',
      only('domain', 'starts', 'api', 'db', 'integrations', 'platform'),
      'handlers start and ask through starts/',
    ),
    forbid(
      'workers-host',
      '^workers/',
      only('domain', 'workflows', 'activities', 'starts', 'workers', 'db', 'integrations', 'platform'),
      'a worker never goes through a handler',
    ),
    forbid(
      'health-only-looks',
      '^health/',
      only('domain', 'workflows', 'starts', 'health', 'db', 'platform'),
      'it tells of the services, and does nothing for them',
    ),
    forbid('db-knows-tables', '^db/', only('domain', 'db', 'platform'), 'db knows nothing above it'),
    forbid(
      'integrations-know-parties',
      '^integrations/',
      only('domain', 'integrations', 'platform'),
      'a client knows only its party',
    ),
    forbid('platform-serves-all', '^platform/', only('domain', 'platform'), 'platform owns no business'),
    forbid('sandbox-is-outside', '^sandbox/', only('sandbox'), 'the sandbox plays the outside'),
    forbid(
      'cli-needs-no-development',
      '^cli/',
      only('domain', 'workflows', 'starts', 'db', 'platform', 'cli', 'clients'),
      'rx works where nothing of development is',
    ),
    forbid(
      'nobody-needs-development',
      `^(main\\.ts$|(${product})/)`,
      '^(sandbox|dev|deploy|tests|evidence)/',
      'the product runs without it',
    ),
    forbid(
      'evidence-is-on-top',
      '^(sandbox|dev|deploy|tests)/',
      '^evidence/',
      'it may use every room, and no room needs it',
    ),
    forbid('clients-are-outside', '^clients/', only('clients'), 'others install them, with nothing of ours'),
    {
      name: 'services-keep-to-themselves',
      comment: "a service's rooms never import another service's",
      severity: 'error',
      // Clients of our own services, in integrations, are for the others.
      from: { path: `^(${rooms}|integrations|cli)/(${services}|${shared})(/|\\.ts$)` },
      to: { path: `^(${rooms})/(${services})(/|\\.ts$)`, pathNot: '^[^/]+/$2(/|\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
