// The file that Node is started with: the build copies it to dist/queuectl.cjs, beside the program.
// It only uses what every Node since 12 can parse, so that an old one gets a sentence instead of a syntax error.

const wanted = 24;

if (Number.parseInt(process.versions.node, 10) < wanted) {
  const found = `${process.version} (${process.execPath})`;
  process.stderr.write(`error: queuectl needs Node ${wanted} or newer, this is ${found}\n`);
  process.stderr.write(' hint: install a newer one from https://nodejs.org, or put it first on the PATH\n');
  process.exitCode = 1;
} else {
  hushExperimentalWarnings();
  keepCompiledCode();
  start(require('./main.cjs'));
}

// node:sqlite works in every Node we accept, and some of them still announce it as experimental.
function hushExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...details) => {
    if (details[1] !== 'ExperimentalWarning') emitWarning.apply(process, details);
  };
}

// Saves 5 to 8 ms of 60. Node runs what it finds in that folder, so it lies below one that is the user's own: not in the
// shared temporary folder that is Node's default, nor in the home of whoever called sudo.
function keepCompiledCode() {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const base = XDG_CACHE_HOME || HOME;
  const owner = base && require('node:fs').statSync(base, { throwIfNoEntry: false });
  if (!owner || owner.uid !== process.getuid()) return;
  require('node:module').enableCompileCache(XDG_CACHE_HOME ? `${base}/queuectl` : `${base}/.cache/queuectl`);
}

// Output is written by then. Leaving at once saves Node the taking apart of what the system clears away anyhow.
async function start({ main }) {
  process.exit(await main(process.argv.slice(2)));
}
