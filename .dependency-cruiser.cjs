/** The direction in which rooms may depend on each other; a row is a door that stays shut. */
const forbid = (name, from, to, comment, extra = {}) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: to, ...extra.to },
});
const valuesOnly = { to: { dependencyTypesNot: ['type-only'] } };

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    forbid(
      'domain-stands-alone',
      '^domain/',
      '^(workflows|activities|api|workers|db|integrations|platform|sandbox|cli)/',
      'domain is pure rules',
    ),
    forbid(
      'workflows-know-rules-only',
      '^workflows/',
      '^(api|workers|db|integrations|platform|sandbox|cli)/',
      'workflow code is replayed',
      valuesOnly,
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
      '^(api|workers|sandbox|cli)/',
      'activities know no caller',
    ),
    forbid(
      'api-starts-by-id',
      '^api/',
      '^(activities|workers|sandbox|cli)/',
      'handlers start workflows by id and type',
    ),
    forbid(
      'db-knows-tables',
      '^db/',
      '^(api|workflows|activities|workers|integrations|sandbox|cli)/',
      'db knows nothing above it',
    ),
    forbid(
      'integrations-know-parties',
      '^integrations/',
      '^(api|workflows|activities|workers|db|sandbox|cli)/',
      'a client knows only its party',
    ),
    forbid(
      'platform-serves-all',
      '^platform/',
      '^(api|workflows|activities|workers|db|integrations|sandbox|cli)/',
      'platform owns no business',
    ),
    forbid(
      'sandbox-is-outside',
      '^sandbox/',
      '^(domain|api|workflows|activities|workers|db|integrations|platform|cli)/',
      'the sandbox plays the outside',
    ),
    forbid(
      'nobody-needs-the-sandbox',
      '^(domain|api|workflows|activities|workers|db|integrations|platform)/',
      '^(sandbox|cli|tests|bench)/',
      'the product runs without it',
    ),
    {
      name: 'services-keep-to-themselves',
      comment: "a service's rooms never import another service's",
      severity: 'error',
      from: {
        path: '^(api|db|activities)/(router|orchestrator|registry|intake|notification|organization|patients|bridge)/',
      },
      to: {
        path: '^(api|db|activities)/(router|orchestrator|registry|intake|notification|organization|patients|bridge)/',
        pathNot: '^[^/]+/$2/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
