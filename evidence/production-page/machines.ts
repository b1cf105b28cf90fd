import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFileSync,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Simulates machines as folders: each sees this machine's files, keeps its own writes, and has an address in a shared
 * network. The caller needs its own network and process namespaces.
 */
export interface Machine {
  /** Types into that user's open shell. @returns its output @throws Error with the output if a command fails */
  type: (user: string, script: string) => Promise<string>;
  /** Finds the process whose command line holds that text. */
  pid: (text: string) => number | undefined;
}

const overlaid = ['etc', 'home', 'opt', 'root', 'run', 'usr', 'var'];

/** Without the variables of npm and Jest. */
const ofTheMachine = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => name === 'npm_config_cache' || !/^(npm_|NODE_|JEST_)/i.test(name),
  ),
);

interface Place {
  folder: string;
  /** The way back to this machine's network. */
  hostNetwork: string;
  keep: string;
}

/** @param prepare commands that root runs first */
export async function openMachine(
  { folder, hostNetwork, keep }: Place,
  {
    name,
    cwd,
    network,
    prepare = '',
  }: { name: string; cwd?: string; network: 'own' | 'host'; prepare?: string },
): Promise<Machine> {
  const own = join(folder, 'machines', name);
  const bin = standIns(folder, { hostNetwork, keep });
  const layers = overlaid.map(
    (room) =>
      `mkdir -p ${own}/${room} ${own}/.work/${room}; ` +
      `mount -t overlay overlay -o lowerdir=/${room},upperdir=${own}/${room},workdir=${own}/.work/${room} /${room}`,
  );
  const holder = spawn(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-euc',
      `${layers.join('\n')}\necho ready\nexec sleep infinity`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error(`${name} could not be made`))),
  ]);
  const { pid = 0 } = holder;
  mkdirSync(join(folder, 'pids'), { recursive: true });
  writeFileSync(join(folder, 'pids', name), String(pid));

  const shells = new Map<string, Shell>();
  const shellOf = (user: string): Shell => {
    const known = shells.get(user);
    if (known) return known;
    const into = [`--mount=/proc/${pid}/ns/mnt`, ...(network === 'host' ? [`--net=${hostNetwork}`] : [])];
    const become =
      user === 'root'
        ? []
        : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', 'env', `HOME=/home/${user}`];
    const shell = openShell(['nsenter', ...into, ...become, 'bash', '--norc', '-eu', '-o', 'pipefail'], {
      ...ofTheMachine,
      HOME: '/root',
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    });
    void shell.type(`cd ${cwd ?? '"$HOME"'}`);
    shells.set(user, shell);
    return shell;
  };
  const machine: Machine = {
    type: (user, script) => shellOf(user).type(script),
    pid: (text) => processesOf(pid).find(({ line }) => line.includes(text))?.pid,
  };
  if (prepare !== '') await machine.type('root', prepare);
  return machine;
}

interface Shell {
  type: (script: string) => Promise<string>;
}

function openShell([command = '', ...args]: string[], env: NodeJS.ProcessEnv): Shell {
  const shell: ChildProcessWithoutNullStreams = spawn(command, args, { env });
  let printed = '';
  let count = 0;
  let turn: Promise<unknown> = Promise.resolve();
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      shell.emit('printed');
    });
  shell.once('close', () => shell.emit('printed'));
  const typed = async (script: string): Promise<string> => {
    printed = '';
    const end = `::done ${++count}`;
    shell.stdin.write(`${script}\necho; echo '${end}'; echo '${end}' >&2\n`);
    while (printed.split(end).length < 3) {
      if (shell.exitCode !== null) throw new Error(`${script}\nended with ${shell.exitCode}:\n${printed}`);
      await once(shell, 'printed');
    }
    return printed.replaceAll(`\n${end}\n`, '').replaceAll(`${end}\n`, '');
  };
  return {
    type: (script) => {
      const next = turn.then(() => typed(script));
      turn = next.catch(() => undefined);
      return next;
    },
  };
}

/** The processes on that process's machine. */
function processesOf(holder: number): { pid: number; line: string }[] {
  const own = readlinkSync(`/proc/${holder}/ns/mnt`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (readlinkSync(`/proc/${name}/ns/mnt`) !== own) return [];
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), line }];
      } catch {
        return []; // it has ended
      }
    });
}

/** Provides `scp` between machines, `systemctl` by deploy/keep.sh, and an `npm` with this machine's network. */
function standIns(folder: string, { hostNetwork, keep }: Pick<Place, 'hostNetwork' | 'keep'>): string {
  const bin = join(folder, 'bin');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  mkdirSync(bin, { recursive: true });
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const scripts = {
    npm: `exec nsenter --net=${hostNetwork} ${npm} "$@"`,
    scp: `[ "$1" != -r ] || shift
for last; do :; done
machine=\${last#root@}
to=\${machine#*:}
while [ $# -gt 1 ]; do
  tar cf - -C "$(dirname "$1")" "$(basename "$1")" |
    nsenter --mount=/proc/$(cat ${folder}/pids/\${machine%%:*})/ns/mnt tar xf - --no-same-owner -C "\${to:-/root}"
  shift
done`,
    systemctl: `case $1 in daemon-reload) exit ;; enable) shift 2 ;; restart) shift ;; esac
for name; do
  case $name in
    *@*) unit=\${name%%@*}@ instance=\${name#*@} ;;
    *) unit=$name instance= ;;
  esac
  setsid ${keep} /etc/systemd/system/$unit.service $instance >>${folder}/logs/$name.log 2>&1 </dev/null &
done`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nset -eu\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** Starts the process with its own network and process namespaces. */
export function startApart(script: string, folder: string): ChildProcess {
  const network = join(folder, 'host-network');
  const packages = join(folder, 'npm');
  // The shell stays as process 1 and reaps orphans.
  const begin =
    `touch ${network}; mount --bind /proc/self/ns/net ${network}; ` +
    `mkdir -p ~/.npm ${packages}; mount --bind ~/.npm ${packages}; export npm_config_cache=${packages}; ` +
    `exec unshare --net --pid --fork --kill-child --mount-proc sh -c '"$0" "$@"; exit $?' "$0" "$@"`;
  return spawn(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-euc',
      begin,
      process.execPath,
      '--import',
      'tsx',
      script,
      folder,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
}
