import { readdirSync, readFileSync } from 'node:fs';

const folder = (path: string, ending: string): string[] =>
  readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${path}/${name}`);

export const dashboards = folder('observability/grafana/dashboards', '.json');
export const runbooks = folder('docs/runbooks', '.md').filter((path) => !path.endsWith('/README.md'));

/** Every metric that a rule, a dashboard or a runbook asks for. */
export function metricsAsked(): string[] {
  const texts = ['observability/rules/scriptrail.yml', ...dashboards, ...runbooks].map((path) =>
    readFileSync(path, 'utf8'),
  );
  const names = texts.join('\n').match(/\b(scriptrail|temporal|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names)].sort();
}

/** The names of a scrape under which values are found: those of a histogram with their endings. */
export function metricsExposed(scrape: string): Set<string> {
  const names = [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return new Set(names);
}
