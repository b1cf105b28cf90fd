/** `<tool> <version> <folder>`: lets the SDK download a tool into a folder, which the parent watches. */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [tool, version, downloadDir] = process.argv.slice(2);
if (version === undefined || downloadDir === undefined) throw new Error('usage: <tool> <version> <folder>');
const server = { executable: { type: 'cached-download', version: `v${version}`, downloadDir } } as const;
try {
  const environment = await (tool === 'temporal'
    ? TestWorkflowEnvironment.createLocal({ server })
    : TestWorkflowEnvironment.createTimeSkipping({ server }));
  await environment.teardown();
} catch (error) {
  // Prints the innermost cause on one line, which becomes the reason in the error.
  process.stderr.write(`${String(error).replaceAll(/\s+/g, ' ').split(': ').slice(-2).join(': ')}\n`);
  process.exit(1);
}
