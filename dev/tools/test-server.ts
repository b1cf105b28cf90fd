import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../progress.js';
import { downloadOfficial } from './official-download.js';
import { findOnPath, resolveTool } from './resolve.js';
import { run } from './run.js';

const version = '1.38.0';

/** Temporal's time-skipping test server. {@link resolveTool} describes order and errors. */
export const resolveTestServer = (progress: Progress): Promise<string> =>
  resolveTool(
    {
      label: 'time-skipping test server',
      file: 'temporal-test-server',
      version,
      variable: 'TEMPORAL_TEST_SERVER_PATH',
      lookOnPath: false,
      ways: [
        {
          name: 'official download',
          getInto: (folder) => downloadOfficial('temporal-test-server', version, folder),
        },
        { name: 'fetching its Java archives with Maven', getInto: fetchWithMaven },
      ],
      advice:
        'set TEMPORAL_TEST_SERVER_PATH to one, or install Java 17 and Maven (`java` and `mvn` on PATH).',
    },
    progress,
  );

const dependency = (group: string, artifact: string, release: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${release}</version></dependency>`;

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>scriptrail</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies>
    ${dependency('io.temporal', 'temporal-test-server', version)}
    ${dependency('org.slf4j', 'slf4j-nop', '1.7.36')}
  </dependencies>
</project>
`;

/** `exec`, because a caller ends only its direct child; the flags halve the start-up time. */
const launcher = `#!/bin/sh
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`;

async function fetchWithMaven(folder: string): Promise<void> {
  if ((await findOnPath('java')) === undefined) throw new Error('java is not installed');
  const workFolder = await mkdtemp(join(tmpdir(), 'scriptrail-test-server-'));
  try {
    await writeFile(join(workFolder, 'pom.xml'), project);
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'lib')}`];
    await run('mvn', ['-B', '-q', ...goal], { cwd: workFolder, env: process.env });
    await writeFile(join(folder, 'temporal-test-server'), launcher, { mode: 0o755 });
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
